"""A project with two services, a package of its own and docs: what the graph is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.surfaces.workspace.bench import Bench, Shown

CODE = "code_intelligence"
RETRY, POLICY = "services/checkout/src/retry", "payment-retry-policy"

FILES = {
    f"{RETRY}/{POLICY}.ts": """import { Clock } from './clock';

/** Selects retry windows for refunds. */
export class PaymentRetryPolicy {
  constructor(private clock: Clock) {}

  nextAttempt(attempt: number): number {
    return this.clock.now() + parseConfig('window') * attempt;
  }
}

export interface RetryOptions { limit: number }

export function parseConfig(text: string): number {
  return text.length;
}
""",
    f"{RETRY}/clock.ts": """export class Clock {
  now(): number { return 1; }
}

export class Cache {
  now(): number { return 2; }
}

export function readCache(cache: Cache): number {
  return cache.now();
}
""",
    f"{RETRY}/{POLICY}.test.ts": f"""import {{ PaymentRetryPolicy }} from './{POLICY}';

test('PaymentRetryPolicy retry limits', () => {{
  const policy = new PaymentRetryPolicy(null);
  expect(policy.nextAttempt(3)).toBe(3);
}});
""",
    "services/checkout/src/settings.ts": f"""import {{ parseConfig }} from './retry/{POLICY}';
import type {{ PaymentRetryPolicy }} from './retry/{POLICY}';

export function loadSettings(): number {{
  return parseConfig('a') + parseConfig('b');
}}

export const policies: PaymentRetryPolicy[] = [];
""",
    "services/checkout/src/stranger.ts": """function parseConfig(): number { return 0; }

export function unrelated(): number {
  return parseConfig();
}
""",
    "services/checkout/src/index.ts": f"export {{ PaymentRetryPolicy }} from './retry/{POLICY}';\n",
    "services/checkout/src/Badge.tsx": """export function Badge(props: { text: string }) {
  return <b>{props.text}</b>;
}

export function Header() {
  return <Badge text="shop" />;
}
""",
    "services/ledger/src/com/acme/ledger/Booking.java": """package com.acme.ledger;

import com.acme.money.Amount;

public class Booking implements Posting {
    private final Amount amount = new Amount();

    public long total() {
        return amount.cents();
    }
}
""",
    "services/ledger/src/com/acme/ledger/Posting.java": """package com.acme.ledger;

public interface Posting {
    long total();
}
""",
    "services/ledger/src/com/acme/money/Amount.java": """package com.acme.money;

public class Amount {
    public long cents() { return 1; }
}
""",
    "services/ledger/src/com/acme/other/Amount.java": """package com.acme.other;

public class Amount {
    public long cents() { return 2; }
}
""",
    "packages/kit/package.json": '{"name": "@acme/kit", "main": "src/kit.ts"}',
    "packages/kit/src/kit.ts": "export function packParcel(): number { return 1; }\n",
    "services/checkout/src/parcels.ts": """import { packParcel } from '@acme/kit';

export function sendParcel(): number {
  return packParcel();
}
""",
    "docs/retry.md": "# Retrying\n\nPaymentRetryPolicy decides when a refund is tried again.\n",
}


@dataclass(frozen=True)
class Shop:
    bench: Bench
    project: str

    def map(self, query: str, **more: Any) -> Shown:
        asked = {"scope": "project", "projectId": self.project, "query": query, **more}
        return self.bench.ask("code_map", **asked)

    def found(self, query: str, group: str, **more: Any) -> list[Shown]:
        shown: list[Shown] = self.map(query, **more)["groups"].get(group, [])
        return shown

    def titles(self, query: str, group: str, **more: Any) -> set[str]:
        return {hit["title"] for hit in self.found(query, group, **more)}

    def status(self, **more: Any) -> Shown:
        return self.bench.ask("status", scope="project", projectId=self.project, **more)


def opened(bench: Bench) -> Shop:
    """A project with a tree of two services, a package of its own, and docs."""
    for path, text in FILES.items():
        bench.write(f"shop/{path}", text)
    project = bench.project()
    for folder, kind in (("services", CODE), ("packages/kit", CODE), ("docs", "docs")):
        bench.add(project, bench.folder / "shop" / folder, kind)
    bench.ingest(project)
    return Shop(bench, project)
