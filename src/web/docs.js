// The lines to copy from the reference name the server that it came from.

for (const line of document.querySelectorAll("pre code")) {
  const text = line.textContent;
  if (text.startsWith("curl ")) line.textContent = text.replace("http://127.0.0.1:8044", location.origin);
}
