import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type OlderStore, openOlderStore } from './harness/older-store'

describe.each(['PGlite', 'PostgreSQL'] as const)('a store with rows in it, on %s', (kind) => {
  let store: OlderStore
  afterEach(() => store?.close())

  test('what senders decided before there was the rule stays, and is told as theirs', async () => {
    store = await openOlderStore(kind, '0006_request-log-action')
    const [sender, other, alone, decided] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    for (const id of [sender, other]) {
      await store.run(`insert into people (id, email, name, password_hash) values ('${id}', '${id}@paydesk.test', 'Somebody', '')`)
    }
    const add = (id: string, by: string) =>
      store.run(`insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path,
        content_type, body_sha256, service_key, exclusive, state, decision) values ('${id}', 'sandbox', 'payouts.release', '${sender}', '', '${id}', '', '',
        'PUT', '', '', '', '', true, 'refused', jsonb_build_object('outcome', 'refused', 'by', upper('${by}'), 'at', now(), 'evidence', 'none'))`)
    await add(alone, sender)
    await add(decided, other)
    await store.migrate()
    expect(await store.run('select id, decision from actions order by id = $1', [alone])).toMatchObject([
      { id: decided, decision: { by: other.toUpperCase() } },
      { id: alone, decision: { evidence: 'none', outcome: 'refused' } },
    ])
    await store.run(`update actions set answer = null, decision = decision || '{"evidence": "removed"}'`)
  })
})
