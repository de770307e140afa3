"""The points that are what it takes: memory, the database's size, the import's time."""

from . import data
from .bench import table
from .servers import WORKERS


def memory(bench):
    """Point 5."""
    used = bench.server.anonymous_memory()
    bench.raw["memory"] = used
    bench.goals.add(
        f"anonymous memory after the run, {WORKERS} workers", "at most 64 MB",
        f"{used / 1e6:.1f} MB", used <= 64e6,
    )


def imports(bench):
    """Points 5 and 7: the database's size, and how long its import took."""
    rows = []
    # The big one is what is promised; the small one is there for `size` alone.
    made = [bench.big] + ([bench.small] if "small" in vars(bench) else [])
    for each in made:
        told = each.told
        rows.append([
            f"{told['contracts']:,}", f"{told['suppliers']:,}", f"{told['bytes'] / 1e6:,.0f}",
            f"{each.bytes_a_contract:.0f}", told["read"], f"{told['seconds']:.1f}",
            f"{each.rate:,.0f}", f"{told['processor']:.1f}",
            f"{told['generator_processor']:.1f}" if told["read"] == "pipe" else "-",
            "earlier" if told.get("reused") else "now",
        ])
    bench.raw["import"] = [each.told for each in made]
    big = bench.big
    bench.goals.add("database, bytes a contract with everything", "at most 900",
                    f"{big.bytes_a_contract:.0f}", big.bytes_a_contract <= 900)
    how = "" if big.told["read"] == "file" else ", generated beside it, on the same cores"
    bench.goals.add(f"import of JSON Lines, contracts a second{how}", "at least 60,000",
                    f"{big.rate:,.0f}", big.rate >= 60_000)
    table(
        "Import of JSON Lines",
        ["contracts", "suppliers", "database, MB", "bytes a contract", "read from", "s",
         "contracts/s", "processor, s", "generate's processor, s", "imported"],
        rows,
        "With the contracts go their suppliers, a purchase for every ten, and the RNP"
        " entries of one supplier in a hundred; all counts in time and bytes, and only"
        f" contracts are counted. Up to {data.MOST_IN_A_FILE:,} contracts are read from a"
        " file; more come through a pipe from `generate`, which shares the processors.",
    )
