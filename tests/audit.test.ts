import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashAuditRow } from '@/lib/server/audit/chain'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import {
  createIdempotencyKey,
  createPdfFile,
  goodReason,
  type Person,
  signIn,
} from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'

type AuditRow = { seq: number; body: string; prev: string; hash: string }
type AuditBody = { code: string; action?: string; target?: string; at: string } & Record<
  string,
  unknown
>

/**
 * Returns SQL that changes the audit table as the database's owner could, with its triggers
 * disabled.
 */
const buildTamperingSql = (statements: string) =>
  `alter table audit disable trigger user; ${statements}; alter table audit enable trigger user; select 1`
const restoreSql = buildTamperingSql(
  'delete from audit; insert into audit select * from audit_copy; delete from audit_head; insert into audit_head select * from head_copy',
)

describe.each(storeKinds)('on %s', (kind) => {
  let sandbox: Sandbox
  let testStack: DeskAndStore
  let operator: Person

  beforeAll(async () => {
    sandbox = await startSandbox()
    testStack = await startDeskAndStore(kind, {
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
    })
    operator = await signIn(testStack.dashboard.url, 'admin')
  })
  afterAll(async () => {
    await testStack?.stop()
    await sandbox?.stop()
  })

  const readAuditRows = async () =>
    (await testStack.sql(
      'select seq::int as seq, body, prev, hash from audit order by seq',
    )) as unknown as AuditRow[]
  const readAuditBodies = async (): Promise<AuditBody[]> =>
    (await readAuditRows()).map((link) => JSON.parse(link.body) as AuditBody)

  test('every write has a START and an END, whatever its outcome', async () => {
    const releasedPayout = await sandbox.makePayout()
    const paidPayout = await sandbox.makePayout({ status: 'paid' })
    const lostReplyPayout = await sandbox.makePayout()
    const idempotencyKey = createIdempotencyKey()
    expect((await operator.decide('release', releasedPayout, idempotencyKey)).status).toBe(200)
    expect(await operator.decide('release', releasedPayout, idempotencyKey)).toMatchObject({
      status: 200,
      replayed: true,
    })
    expect((await operator.decide('cancel', paidPayout)).status).toBe(422)
    expect((await operator.upload(releasedPayout, createPdfFile('proof.pdf'))).status).toBe(201)
    await sandbox.fault({
      operation: 'payouts.hold',
      match: lostReplyPayout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: 3,
    })
    const unknownOutcomeReply = await operator.decide('hold', lostReplyPayout)
    expect(unknownOutcomeReply.status).toBe(202)
    expect(await operator.check(unknownOutcomeReply.body.action?.id ?? '')).toMatchObject({
      status: 422,
      body: { action: { state: 'refused' } },
    })
    const auditBodies = await readAuditBodies()
    const listAuditCodes = (id: string) =>
      auditBodies
        .filter((row) => row.target === `payouts/${id}`)
        .map((row) => row.code.replace('payouts.', ''))
    expect(listAuditCodes(releasedPayout.id)).toEqual([
      'release.start',
      'release.applied',
      'authorize.start',
      'authorize.applied',
    ])
    expect(listAuditCodes(paidPayout.id)).toEqual(['cancel.start', 'cancel.refused'])
    expect(listAuditCodes(lostReplyPayout.id)).toEqual([
      'hold.start',
      'hold.unknown',
      'hold.checked',
      'hold.refused',
    ])
    const releaseStartRow = auditBodies.find((row) => row.code === 'payouts.release.start')
    const releaseEndRow = auditBodies.find((row) => row.code === 'payouts.release.applied')
    expect(releaseStartRow).toMatchObject({
      environment: 'sandbox',
      account: releasedPayout.account.replace('acct_', ''),
      reason_code: 'AUTH_PROOF_OK',
    })
    expect(releaseEndRow).toMatchObject({
      action: releaseStartRow?.action,
      actor: releaseStartRow?.actor,
      attempts: 1,
      status: 200,
      verified: true,
      replayed: false,
    })
    expect(JSON.stringify(auditBodies)).not.toContain(goodReason.split(': ')[1])
  })

  test('the sequence has no gap, and each link refers to the one before', async () => {
    let prevHash = ''
    for (const [at, link] of (await readAuditRows()).entries()) {
      expect(link).toEqual({
        seq: at + 1,
        body: link.body,
        prev: prevHash,
        hash: hashAuditRow(at + 1, prevHash, link.body),
      })
      prevHash = link.hash
    }
  })

  test.each(['update audit set body = body', 'delete from audit', 'truncate audit'])(
    'the database rejects: %s',
    async (statement) => {
      const rowCountBefore = (await readAuditRows()).length
      await expect(testStack.sql(statement)).rejects.toThrow('the audit chain is insert-only')
      expect((await readAuditRows()).length).toBe(rowCountBefore)
    },
  )

  test('the chain is valid', async () => {
    expect(await testStack.verify()).toMatchObject({
      rows: (await readAuditRows()).length,
      bad: null,
    })
    await testStack.sql(
      'create table audit_copy as table audit; create table head_copy as table audit_head; select 1',
    )
  })

  test.each([
    [
      'an edited row',
      `update audit set body = replace(body, 'payouts.', 'payout5.') where seq = 4`,
      4,
      'content was changed',
    ],
    ['a deleted row', 'delete from audit where seq = 5', 5, 'row 5 is missing'],
    ['a deleted first row', 'delete from audit where seq = 1', 1, 'row 1 is missing'],
    [
      'a swapped pair',
      'update audit set seq = -seq where seq in (3, 4); update audit set seq = 7 + seq where seq < 0',
      3,
      'does not follow',
    ],
    ['a cut tail, its head cut as well', buildCutSql(6), null, 'the chain was cut'],
    [
      'a chain that is all gone',
      `delete from audit; update audit_head set seq = 0, hash = ''`,
      1,
      'the chain was cut',
    ],
    [
      'a row put at the end',
      `insert into audit select seq + 1, body, hash, 'x' from audit order by seq desc limit 1`,
      null,
      'content was changed',
    ],
  ])('%s is detected and reported', async (_name, statements, row, why) => {
    const rowCount = (await readAuditRows()).length
    await testStack.sql(buildTamperingSql(statements))
    const { bad } = await testStack.verify()
    await testStack.sql(restoreSql)
    const expectedSeq = row ?? (why.startsWith('the chain was cut') ? 7 : rowCount + 1)
    expect(bad).toEqual({ seq: expectedSeq, why: expect.stringContaining(why) })
  })

  test('a chain rewritten from some row on, with hashes and head, is detected by an earlier head', async () => {
    const allRows = await readAuditRows()
    let chainHash = allRows[3]?.hash ?? ''
    const updateStatements = allRows.slice(4).map((link) => {
      const changedBody = link.body.replace('"replayed":false', '"replayed":true')
      const rowPrevHash = chainHash
      chainHash = hashAuditRow(link.seq, rowPrevHash, changedBody)
      return `update audit set body = $text$${changedBody}$text$, prev = '${rowPrevHash}', hash = '${chainHash}' where seq = ${link.seq}`
    })
    await testStack.sql(
      buildTamperingSql(
        [...updateStatements, `update audit_head set hash = '${chainHash}'`].join('; '),
      ),
    )
    const { bad, rows } = await testStack.verify()
    await testStack.sql(restoreSql)
    expect(bad).toEqual({ seq: allRows.length, why: 'it was rewritten since its head was kept' })
    // The rewritten rows form a valid chain, so all of them except the last count as verified. Only
    // the comparison with the head of an earlier verification detects the change.
    expect(rows).toBe(allRows.length - 1)
    expect((await testStack.verify()).bad).toBeNull()
  })

  test('while the audit row cannot be written nothing is sent, and after the repair everything works', async () => {
    const payout = await sandbox.makePayout()
    await testStack.sql(
      `create function no_disk() returns trigger language plpgsql as $$ begin raise exception 'no disk'; end $$;
       create trigger no_disk before insert on audit for each row execute function no_disk(); select 1`,
    )
    await testStack.shut()
    const seqBefore = await sandbox.lastSeq()
    const releaseIdempotencyKey = createIdempotencyKey()
    for (const send of [
      () => operator.decide('release', payout, releaseIdempotencyKey),
      () => operator.upload(payout, createPdfFile('proof.pdf')),
    ]) {
      const unavailableReply = await send()
      expect(unavailableReply).toMatchObject({
        status: 503,
        body: { error: { code: 'unavailable' } },
      })
      expect(JSON.stringify(unavailableReply.body)).not.toContain('no disk')
    }
    expect((await sandbox.requests(seqBefore)).filter((row) => row.method !== 'GET')).toEqual([])
    expect(await sandbox.journal(payout.id)).toEqual([])
    expect(
      await testStack.sql(`select 1 from actions where target = 'payouts/${payout.id}'`),
    ).toEqual([])
    await testStack.sql('drop trigger no_disk on audit; select 1')
    await testStack.shut()
    expect((await operator.decide('release', payout, releaseIdempotencyKey)).status).toBe(200)
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
    expect((await testStack.verify()).bad).toBeNull()
  })
})

function buildCutSql(seq: number): string {
  return `delete from audit where seq > ${seq}; update audit_head set seq = ${seq}, hash = (select hash from audit where seq = ${seq})`
}
