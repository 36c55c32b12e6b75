"""A project to search in: docs, source trees, a record and a notebook, attached and ingested."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.surfaces.clients import Premises
from tests.surfaces.nearness import near
from tests.surfaces.workspace.bench import Bench, Shown

RUNBOOK = "docs/runbooks/refund-retry.md"
POLICY = "services/checkout/src/retry/payment-retry-policy.ts"
POLICY_TEST = "services/checkout/src/retry/payment-retry-policy.test.ts"

FILES = {
    RUNBOOK: f"""# Refund Retry Runbook

## Escalation

Escalate refund retries after the third gateway timeout and page the checkout owner. {near(80)}
Retrying is safe while settlement is open. The codeword here is zirconium.

## Replay

Use the mock gateway contract for replay tests before enabling live refund retries. {near(60)}
""",
    "docs/guides/release.md": f"""# Release Checklist

Freeze the branch, tag it and publish. {near(10)} PaymentRetryPolicy must be configured first.
""",
    "docs/guides/deploy.md": """# Deployment Runbooks

Deployment goes through staging; retry a failed deployment once.
""",
    POLICY: f"""import {{ Clock }} from './clock';

/** Chooses when a refund is tried again. {near(70)} zirconium */
export class PaymentRetryPolicy {{
  constructor(private readonly clock: Clock) {{}}

  nextAttempt(attempt: number): number {{
    return this.clock.now() + attempt * 1000;
  }}
}}
""",
    POLICY_TEST: """import { PaymentRetryPolicy } from './payment-retry-policy';

test('PaymentRetryPolicy retry limits', () => {
  const policy = new PaymentRetryPolicy(new FakeClock());
  expect(policy.nextAttempt(3)).toBe(3000);
});
""",
    "services/checkout/src/config.ts": """/** Reads the settings of the shop. */
export function parseConfig(text: string): Record<string, string> {
  return JSON.parse(text);
}
""",
    "services/checkout/src/main.ts": """import { parseConfig } from './config';

export function start(text: string): void {
  const settings = parseConfig(text);
  console.log('wombat', settings);
}
""",
    "services/checkout/src/Basket.java": """package shop;

/** Holds what a customer is about to buy. */
public class Basket {
  private int wombat;

  public int total() {
    return wombat;
  }
}
""",
    "services/checkout/src/ledger.py": '''"""Keeps the books."""


class Ledger:
    """Every booking of the wombat counter."""

    def book(self, amount: int) -> int:
        return amount
''',
}


@dataclass(frozen=True, slots=True)
class Library:
    bench: Bench
    project: str
    docs: Shown
    code: Shown

    @property
    def scope(self) -> Shown:
        return {"scope": "project", "projectId": self.project}

    def search(self, query: str, **more: object) -> Shown:
        return self.bench.ask("search", query=query, **(self.scope | more))

    def hits(self, query: str, **more: object) -> list[Shown]:
        found: list[Shown] = self.search(query, **more)["hits"]
        return found

    def paths(self, query: str, **more: object) -> set[str]:
        return {hit["path"] for hit in self.hits(query, topK=50, **more) if "path" in hit}

    def map(self, query: str, **more: object) -> Shown:
        return self.bench.ask("code_map", query=query, **(self.scope | more))

    def refused(self, name: str, action: str, **more: object) -> None:
        self.bench.refused(name, action, **({"query": "refund"} | self.scope | more))


def furnished(premises: Premises, folder: Path, org: str) -> Library:
    bench = Bench(premises, folder, org)
    project = bench.project()
    for path, text in FILES.items():
        bench.write(f"shop/{path}", text)
    root = bench.folder / "shop"
    docs = bench.add(project, root / "docs", label="Checkout Runbooks", trustTier="canonical")
    source = root / "services/checkout/src"
    code = bench.add(project, source, "code_intelligence", label="Checkout Source")
    bench.append(project, "Prefer the mock gateway when testing; zirconium wombat.")
    bench.create(project, "Acceptance of the refund retry; zirconium wombat.", title="Snapshot")
    bench.ask("ingest", scope="all")
    premises.embed()
    return Library(bench, project, docs, code)
