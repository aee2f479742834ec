import { createCipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startDashboard, testEncryptionKey } from '@/tests/harness/dashboard'
import { type OlderStore, openOlderStore } from '@/tests/harness/older-store'
import { storeKinds } from '@/tests/harness/store-kinds'
import { waitUntil } from '@/tests/harness/wait-until'

const sessionSecret = 'a-secret-of-this-test-run-0123456789abcdef'
const legacyEncryptionKey = Buffer.from(hkdfSync('sha256', sessionSecret, 'paydesk', 'seal', 32))

/**
 * Encrypts a value as versions without the setting `ENCRYPTION_KEY` did: with a key derived from
 * the session secret. `place` names the table, row and column.
 */
function encryptInLegacyFormat(plain: string, place: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', legacyEncryptionKey, nonce).setAAD(
    Buffer.from(place),
  )
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const addPerson = (store: OlderStore, id: string) =>
  store.run(
    `insert into people (id, email, name, password_hash) values ('${id}', '${id}@paydesk.test', 'Somebody', '')`,
  )

type LeftoverAction = {
  operation?: string
  state: string
  body?: string
  answer?: string
  payload?: string
}

async function addAction(
  store: OlderStore,
  actorId: string,
  { operation = 'payouts.create', state, body, answer, payload }: LeftoverAction,
): Promise<string> {
  const id = randomUUID()
  await store.run(
    `insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path, content_type,
      body_sha256, service_key, exclusive, state, next_check_at, body, answer, payload_id)
      values ($1, 'sandbox', $2, $3, '', $8, '', '', 'POST', '', '', '', '', false, $4, now() + interval '1 day', $5, $6, $7)`,
    [
      id,
      operation,
      actorId,
      state,
      body === undefined ? null : encryptInLegacyFormat(body, `actions/${id}/body`),
      answer === undefined ? null : encryptInLegacyFormat(answer, `actions/${id}/answer`),
      payload ?? null,
      id,
    ],
  )
  return id
}

describe.each(storeKinds)('an older store with rows, on %s', (kind) => {
  let olderStore: OlderStore
  afterEach(() => olderStore?.close())

  test('keeps earlier decisions by their senders, and shows them as such', async () => {
    olderStore = await openOlderStore(kind, '0006_request-log-action')
    const [sender, other, alone, decided] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    for (const id of [sender, other]) await addPerson(olderStore, id)
    const addRefusedAction = (id: string, deciderId: string) =>
      olderStore.run(`insert into actions (id, environment, operation, actor_id, session_hash, idempotency_key, correlation_id, fingerprint, method, path,
        content_type, body_sha256, service_key, exclusive, state, decision) values ('${id}', 'sandbox', 'payouts.release', '${sender}', '', '${id}', '', '',
        'PUT', '', '', '', '', true, 'refused', jsonb_build_object('outcome', 'refused', 'by', upper('${deciderId}'), 'at', now(), 'evidence', 'none'))`)
    await addRefusedAction(alone, sender)
    await addRefusedAction(decided, other)
    await olderStore.migrate()
    expect(
      await olderStore.run('select id, decision from actions order by id = $1', [alone]),
    ).toMatchObject([
      { id: decided, decision: { by: other.toUpperCase() } },
      { id: alone, decision: { evidence: 'none', outcome: 'refused' } },
    ])
    await olderStore.run(
      `update actions set answer = null, decision = decision || '{"evidence": "removed"}'`,
    )
  })

  test('keeps an upload from before proofs unchanged', async () => {
    olderStore = await openOlderStore(kind, '0016_open-actions')
    const [actor, file] = [randomUUID(), randomUUID()]
    await addPerson(olderStore, actor)
    await olderStore.run(
      `insert into payloads (id, name, content_type) values ('${file}', 'proof.pdf', 'application/pdf')`,
    )
    const uploadActionId = await addAction(olderStore, actor, {
      operation: 'payouts.authorize',
      state: 'applied',
      payload: file,
    })
    await olderStore.migrate()
    expect(await olderStore.run('select id, state, payload_id, proof from actions')).toEqual([
      { id: uploadActionId, state: 'applied', payload_id: file, proof: null },
    ])
  })

  test('copies known accounts from a former table into the rows', async () => {
    olderStore = await openOlderStore(kind, '0026_accounts-asked')
    const [payout, charge, customer, known, account, other] = Array.from({ length: 6 }, () =>
      randomUUID(),
    )
    const commonSqlValues = `'sandbox', '{}', now(), 'read'`
    for (const [id, type, own] of [
      [payout, 'payout', null],
      [charge, 'charge', null],
      [known, 'payout', other],
    ])
      await olderStore.run(
        `insert into mirror_payments (environment, object, seen_at, seen_by, id, payment_type, status, account_id, funding_ids, words)
         values (${commonSqlValues}, $1, $2, 'paid', $3, '{}', '')`,
        [id, type, own],
      )
    await olderStore.run(
      `insert into mirror_customers (environment, object, seen_at, seen_by, id, name, status, search) values (${commonSqlValues}, $1, '', 'verified', '')`,
      [customer],
    )
    for (const target of [
      `payouts/${payout}`,
      `payouts/${charge}`,
      `customers/${customer}`,
      `payouts/${known}`,
    ])
      await olderStore.run(
        'insert into object_accounts (environment, target, account_id) values ($1, $2, $3)',
        ['sandbox', target, account],
      )
    await olderStore.migrate()
    const rowsWithAccounts = await olderStore.run(
      'select id, account_id from mirror_payments union all select id, account_id from mirror_customers',
    )
    expect(new Map(rowsWithAccounts.map((row) => [row.id, row.account_id]))).toEqual(
      new Map([
        [payout, account],
        [charge, null],
        [known, other],
        [customer, account],
      ]),
    )
  })

  test('erases data of settled actions in small batches, tokens at once, and keeps the bytes of open actions', async () => {
    olderStore = await openOlderStore(kind, '0008_kept-keys')
    const [actor, sent, answered, file] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await addPerson(olderStore, actor)
    await olderStore.run(
      `insert into payloads (id, name, content_type) values ('${file}', 'proof.pdf', 'application/pdf')`,
    )
    await olderStore.run(
      `insert into payload_chunks (payload_id, number, bytes) values ('${file}', 0, '\\x00')`,
    )
    const storedBody = JSON.stringify({ customer_id: sent, ssn: '123-45-6789' })
    const appliedActionId = await addAction(olderStore, actor, {
      state: 'applied',
      body: storedBody,
      answer: JSON.stringify({ id: answered }),
    })
    const openActionId = await addAction(olderStore, actor, { state: 'unknown', body: storedBody })
    const waitingActionId = await addAction(olderStore, actor, {
      state: 'needs_human',
      payload: file,
    })
    const tokenActionId = await addAction(olderStore, actor, {
      operation: 'bridge.initialize',
      state: 'applied',
      body: storedBody,
      answer: '{"bridge_token":"eyJ"}',
    })
    for (let i = 0; i < 450; i += 1)
      await addAction(olderStore, actor, { state: 'refused', body: storedBody })
    await olderStore.migrate()
    const findActionRow = async (id: string) =>
      (
        await olderStore.run('select body, answer, mentions, state from actions where id = $1', [
          id,
        ])
      )[0]
    expect(await findActionRow(tokenActionId)).toMatchObject({ answer: null, mentions: null })

    await olderStore.letGo()
    vi.stubEnv(...olderStore.setting)
    vi.stubEnv('ENCRYPTION_KEY', testEncryptionKey)
    vi.stubEnv('AUTH_SECRET', sessionSecret)
    vi.stubEnv('SERVICE_SANDBOX_URL', 'https://api.provider.test')
    vi.stubEnv('SERVICE_SANDBOX_API_KEY', 'key-0123456789-0123456789')
    vi.stubEnv('APP_ORIGIN', 'https://desk.company.test')
    const { migrateOlderActions: readOlderRows } = await import('@/lib/server/actions/erase')
    const { closeStore } = await import('@/lib/server/store/store')
    await readOlderRows()
    await closeStore()
    vi.unstubAllEnvs()
    await olderStore.takeBack()

    expect(await findActionRow(appliedActionId)).toMatchObject({
      body: null,
      mentions: [sent, answered],
      state: 'applied',
    })
    expect(await findActionRow(openActionId)).toMatchObject({
      body: expect.anything(),
      mentions: [sent],
      state: 'unknown',
    })
    expect(await findActionRow(waitingActionId)).toMatchObject({
      body: null,
      mentions: [],
      state: 'needs_human',
    })
    expect(
      await olderStore.run(
        `select 1 from actions where mentions is null or (body is not null and state <> 'unknown')`,
      ),
    ).toEqual([])
    expect(await olderStore.run('select 1 from payload_chunks')).toEqual([])
  })

  test('includes earlier payments in the sums, and removes them again', async () => {
    olderStore = await openOlderStore(kind, '0027_object-accounts')
    await olderStore.run(`insert into mirror_payments (environment, id, object, seen_at, seen_by, payment_type, status, currency, amount, payment_date, effective_at, funding_ids, words)
      select 'sandbox', gen_random_uuid(), '{}', now(), 'sync', 'charge', 'paid', 'USD', nullif(n, 3) * 100, '2026-10-30', '2026-11-01T03:59:59Z', '{}', ''
      from generate_series(1, 3) n`)
    await olderStore.migrate()
    const readPaymentSums = () =>
      olderStore.run(`select settled_on::text as day, sum(count)::int as count, sum(minor)::int as minor, sum(unreadable)::int as unreadable
        from mirror_payment_sums group by 1`)
    expect(await readPaymentSums()).toEqual([
      { day: '2026-10-31', count: 3, minor: 300, unreadable: 1 },
    ])
    await olderStore.run('delete from mirror_payments where amount is distinct from 200')
    expect(await readPaymentSums()).toEqual([
      { day: '2026-10-31', count: 1, minor: 200, unreadable: 0 },
    ])
  })
})

test('a start erases data that an older version left behind', async () => {
  const store = await openOlderStore('PostgreSQL', '0008_kept-keys')
  const actorId = randomUUID()
  await addPerson(store, actorId)
  await addAction(store, actorId, { state: 'refused', body: '{"ssn":"123-45-6789"}' })
  const serviceOptions = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-0123456789-0123456789' }
  const dashboard = await startDashboard({ ...serviceOptions, databaseUrl: store.where })
  try {
    await waitUntil('the body to go', async () =>
      (await store.run('select 1 from actions where body is not null')).length === 0 ? true : null,
    )
  } finally {
    await dashboard.stop()
    await store.close()
  }
})
