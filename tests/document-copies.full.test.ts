import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentCopy } from '@/lib/operations/documents'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { createPdfFile, type Person, signIn } from './harness/person'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

describe.each(storeKinds)('copies of uploaded proofs, on %s', (kind) => {
  let sandbox: Sandbox
  let testStack: DeskAndStore
  let operator: Person
  let payout: MadePayout

  beforeAll(async () => {
    sandbox = await startSandbox()
    testStack = await startDeskAndStore(kind, {
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
    })
    operator = await signIn(testStack.dashboard.url)
    payout = await sandbox.makePayout()
  })
  afterAll(async () => {
    await testStack?.stop()
    await sandbox?.stop()
  })

  async function restartWith(env: Record<string, string>) {
    await testStack.shut()
    await testStack.dashboard.end()
    await testStack.dashboard.restart(env)
    operator = await signIn(testStack.dashboard.url)
  }

  async function uploadProof(name: string): Promise<string> {
    const { status, body } = await operator.upload(payout, createPdfFile(name, 600_000))
    expect([status, body.error?.detail]).toEqual([201, undefined])
    return body.action?.id ?? ''
  }
  const openDocument = (id: string, person = operator) =>
    person.send(`/api/sandbox/desk/documents/${id}`)
  const readCopy = async (id: string): Promise<DocumentCopy | undefined> =>
    (await operator.action(id)).body.action?.file?.copy
  const waitForCopy = (id: string, copy: DocumentCopy) =>
    waitUntil(`the copy to be ${copy}`, async () => ((await readCopy(id)) === copy ? true : null))
  const listChunks = async () =>
    (await testStack.sql('select payload_id, number from payload_chunks order by 2')).map((row) => [
      row.payload_id,
      row.number,
    ])

  test('are deleted at the end of their retention, and their metadata stays', async () => {
    const [old, recent] = [await uploadProof('old.pdf'), await uploadProof('recent.pdf')]
    await testStack.sql(
      `update payloads set created_at = now() - interval '729 days' where id = '${recent}';
       update payloads set created_at = now() - interval '731 days' where id = '${old}'`,
    )
    await restartWith({})
    await waitForCopy(old, 'expired')
    expect((await openDocument(old)).status).toBe(404)
    expect((await openDocument(recent)).status).toBe(200)
    expect((await operator.action(old)).body.action?.file).toMatchObject({
      name: 'old.pdf',
      size: 600_000,
    })
    expect(await listChunks()).toEqual([
      [recent, 0],
      [recent, 1],
    ])
    await testStack.shut()
  })

  test('are not kept with a retention of 0, and existing ones are deleted', async () => {
    operator = await signIn(testStack.dashboard.url)
    const existing = await uploadProof('existing.pdf')
    await restartWith({ PROOF_RETENTION_DAYS: '0' })
    await waitForCopy(existing, 'expired')
    const later = await uploadProof('later.pdf')
    expect(await readCopy(later)).toBe('not_kept')
    expect((await openDocument(later)).status).toBe(404)
    expect(await listChunks()).toEqual([])
    await testStack.shut()
  })

  test('count as reads of the person', async () => {
    await restartWith({})
    const id = await uploadProof('proof.pdf')
    await restartWith({ PERSON_READS_PER_MINUTE: '30' })
    // A person without a read in this minute: earlier reads of the operator count against 30.
    const admin = await signIn(testStack.dashboard.url, 'admin')
    const statuses: number[] = []
    // More than the quota of two minutes, because a minute may end in between.
    while (statuses.length < 65 && statuses.at(-1) !== 429)
      statuses.push((await openDocument(id, admin)).status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})
