// Replaces the example host in the reference's curl commands with this server.

for (const line of document.querySelectorAll("pre code")) {
  const text = line.textContent;
  if (text.startsWith("curl ")) line.textContent = text.replace("http://127.0.0.1:8044", location.origin);
}
