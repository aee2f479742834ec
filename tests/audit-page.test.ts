import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toZoneDate } from '@/lib/dates'
import type { AuditRow, AuditVerification } from '@/lib/operations/audit'
import { runNode } from './harness/command'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { type Person, signIn } from './harness/person'
import { trySignIn } from './harness/sign-in'
import { storeKinds } from './harness/store-kinds'

describe.each(storeKinds)('on %s', (kind) => {
  let testStack: DeskAndStore
  let admin: Person
  let reviewer: Person

  beforeAll(async () => {
    testStack = await startDeskAndStore(kind, {
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
    })
    await trySignIn(testStack.dashboard.url, 'viewer@paydesk.test', 'wrong')
    admin = await signIn(testStack.dashboard.url, 'admin')
    reviewer = await signIn(testStack.dashboard.url, 'reviewer')
    const viewer = await signIn(testStack.dashboard.url, 'viewer')
    await viewer.get('/api/sandbox/desk/people')
  })
  afterAll(() => testStack?.stop())

  const fetchAuditRows = async (person: Person, query = '') => {
    const { status, body } = await person.get<AuditRow[]>(`/api/sandbox/desk/audit${query}`)
    return { status, rows: 'data' in body ? (body.data ?? []) : [] }
  }
  const verifyWholeAudit = async (person: Person) => {
    let afterSeq = 0
    for (;;) {
      const { body } = await person.post<AuditVerification>('/api/sandbox/desk/audit/verify', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ after: afterSeq }),
      })
      if (!('data' in body) || !body.data) throw new Error(JSON.stringify(body))
      if (body.data.done) return body.data
      afterSeq = body.data.rows
    }
  }

  test('lists applied, refused and denied actions, newest first, with the person', async () => {
    const { rows } = await fetchAuditRows(admin)
    expect(rows.map(({ seq }) => seq)).toEqual(
      rows.map(({ seq }) => seq).toSorted((one, other) => other - one),
    )
    const auditEntries = rows.map(({ code, outcome, actor }) => [
      code,
      outcome,
      actor?.name ?? null,
    ])
    expect(auditEntries).toContainEqual(['people.list.denied', 'denied', 'Vic Viewer'])
    expect(auditEntries).toContainEqual(['session.sign_in.refused', 'refused', null])
    expect(rows.find(({ code }) => code === 'people.list.denied')?.what).toBe('List people: denied')
  })

  test('a day is a day in the time zone of the query', async () => {
    const [first] = (await fetchAuditRows(admin)).rows
    const at = Date.parse(first?.at ?? '')
    const findSeqs = async (query: string) =>
      (await fetchAuditRows(admin, query)).rows.map(({ seq }) => seq)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      const [day, dayBefore] = [at, at - 86_400_000].map((time) => toZoneDate(time, zone))
      expect(await findSeqs(`?from=${day}&to=${day}&zone=${zone}`)).toContain(first?.seq)
      expect(await findSeqs(`?to=${dayBefore}&zone=${zone}`)).not.toContain(first?.seq)
    }
    expect((await fetchAuditRows(admin, '?from=2026-01-01&zone=Mars/Base')).status).toBe(422)
  })

  test('each filter narrows the list, and an invalid one is rejected by name', async () => {
    const [first] = (await fetchAuditRows(admin, '?outcome=denied')).rows
    expect(
      (await fetchAuditRows(admin, '?outcome=denied')).rows.map(({ outcome }) => outcome),
    ).toEqual(['denied'])
    expect((await fetchAuditRows(admin, '?what=session.sign_in&outcome=done')).rows).toHaveLength(3)
    expect(
      (await fetchAuditRows(admin, `?person=${first?.actor?.id}`)).rows.every(
        ({ actor }) => actor?.name === 'Vic Viewer',
      ),
    ).toBe(true)
    const firstEntryDate = first?.at.slice(0, 10) ?? ''
    expect(
      (await fetchAuditRows(admin, `?from=${firstEntryDate}&to=${firstEntryDate}`)).rows.length,
    ).toBeGreaterThan(4)
    expect((await fetchAuditRows(admin, '?to=2020-01-01')).rows).toEqual([])
    expect(
      (await fetchAuditRows(admin, `?before=${first?.seq}`)).rows.every(
        ({ seq }) => seq < (first?.seq ?? 0),
      ),
    ).toBe(true)
    const { status, body } = await admin.get('/api/sandbox/desk/audit?target=x')
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('Must be like payouts/<uuid>'),
    ])
  })

  test('a viewer cannot read it, and a reviewer sees no rows without an environment', async () => {
    const viewer = await signIn(testStack.dashboard.url, 'viewer')
    expect((await fetchAuditRows(viewer)).status).toBe(403)
    const { status, rows } = await fetchAuditRows(reviewer)
    expect([status, rows.some(({ code }) => code.startsWith('session.'))]).toEqual([200, false])
    expect((await fetchAuditRows(reviewer, '?whole=yes')).status).toBe(422)
    const exportResponse = await reviewer.send('/api/sandbox/desk/audit/export?whole=yes')
    expect(exportResponse.status).toBe(403)
  })

  test('the chain is verified to its end, and its head is signed outside the store', async () => {
    const verification = await verifyWholeAudit(reviewer)
    expect(verification).toMatchObject({
      done: true,
      bad: null,
      rows: expect.any(Number),
      signed: { seq: verification.rows },
    })
    const auditHeadLines = fs
      .readFileSync(path.join(testStack.dashboard.dataDir, 'audit-heads.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
    expect(JSON.parse(auditHeadLines.at(-1) ?? '{}')).toMatchObject({
      seq: verification.rows,
      hash: verification.hash,
      key: verification.signed?.key,
    })
    expect(
      fs.statSync(path.join(testStack.dashboard.dataDir, 'audit-signing-key')).mode & 0o777,
    ).toBe(0o600)
  })

  test('an export is verified by Node alone, and fails if a byte was changed', async () => {
    const { signed } = await verifyWholeAudit(admin)
    const exportPath = path.join(testStack.dashboard.dataDir, 'audit.zip')
    const saveAndVerifyExport = async (query: string) => {
      const response = await admin.send(`/api/sandbox/desk/audit/export${query}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/zip',
      ])
      fs.writeFileSync(exportPath, Buffer.from(await response.arrayBuffer()))
      return runNode([
        'public/verify-paydesk.mjs',
        exportPath,
        '--key',
        signed?.key ?? '',
        '--heads',
        path.join(testStack.dashboard.dataDir, 'audit-heads.jsonl'),
      ])
    }
    expect(await saveAndVerifyExport('?whole=yes')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/holds: .* rows, each linked to the one before it/),
    })
    expect(await saveAndVerifyExport('?outcome=denied')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/; 3 rows of the audit, each as it was written/),
    })
    const exportBytes = fs.readFileSync(exportPath)
    const changedByteOffset = exportBytes.indexOf('audit.jsonl') + 40
    exportBytes[changedByteOffset] = (exportBytes[changedByteOffset] ?? 0) ^ 1
    fs.writeFileSync(exportPath, exportBytes)
    expect(await runNode(['public/verify-paydesk.mjs', exportPath])).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^BROKEN: audit.jsonl/),
    })
    expect(
      (await fetchAuditRows(admin, '?what=audit.export')).rows.map(({ code }) => code),
    ).toEqual([
      'audit.export.applied',
      'audit.export.start',
      'audit.export.applied',
      'audit.export.start',
      'audit.export.denied',
    ])
  })

  test('a chain cut before its signed head is reported', async () => {
    const { rows } = await verifyWholeAudit(admin)
    await testStack.sql(
      `alter table audit disable trigger user; delete from audit where seq >= ${rows};
       update audit_head set seq = ${rows - 1}, hash = (select hash from audit where seq = ${rows - 1}); alter table audit enable trigger user; select 1`,
    )
    await testStack.shut()
    const tamperedVerification = await verifyWholeAudit(admin)
    expect(tamperedVerification.bad).toMatchObject({
      seq: expect.any(Number),
      why: expect.stringMatching(/was cut|was rewritten/),
    })
  })
})
