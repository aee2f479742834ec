import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writePdf } from './corpus/pdf-writer'
import type { Dashboard } from './harness/dashboard'
import {
  createIdempotencyKey,
  createPdfFile,
  encodedProofDetails,
  type Person,
  signIn,
} from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk
let sandbox: Sandbox
let dashboard: Dashboard
let operator: Person
let reviewer: Person
let payout: Awaited<ReturnType<Sandbox['makePayout']>>

beforeAll(async () => {
  testStack = await startWholeDesk()
  ;({ sandbox, dashboard, operator } = testStack)
  reviewer = await signIn(dashboard.url, 'reviewer')
  payout = await sandbox.makePayout()
})
afterAll(() => testStack?.stop())

/**
 * An upload whose sender stops in the middle. `heard` is the text that the server has sent,
 * `closed` is true after the server has closed the connection, and `end` closes it from the
 * sender’s side.
 */
type StalledUpload = { heard: string; closed: boolean; end: () => void }

/** Announces an upload of 5 MB, sends the start of the file, and then sends nothing more. */
function startStalledUpload(person: Person): StalledUpload {
  const { hostname, port, host } = new URL(dashboard.url)
  const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = connect(Number(port), hostname)
  const stalledUpload: StalledUpload = { heard: '', closed: false, end: () => socket.destroy() }
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    stalledUpload.heard += part
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    stalledUpload.closed = true
  })
  const requestHead = [
    `POST /api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${dashboard.url}`,
    'Sec-Fetch-Site: same-origin',
    `Cookie: ${cookie}`,
    `Idempotency-Key: ${createIdempotencyKey()}`,
    `Action-Proof: ${encodedProofDetails}`,
    'Content-Type: multipart/form-data; boundary=XX',
    'Content-Length: 5000000',
  ]
  const bodyStart =
    '--XX\r\nContent-Disposition: form-data; name="File"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\n'
  socket.write(`${requestHead.join('\r\n')}\r\n\r\n${bodyStart}`)
  return stalledUpload
}

const slowMessage = 'arrived too slowly'
const isAnsweredAndClosed = ({ heard, closed }: StalledUpload) => closed && heard !== ''
const countUnrecordedPayloads = async () =>
  (
    await testStack.db.query(
      'select count(*)::int as n from payloads where id not in (select payload_id from actions where payload_id is not null)',
    )
  ).rows[0].n as number

describe.each([4, 20])('%i stalled uploads', (count) => {
  test('do not delay another person', async () => {
    const stalledUploads = Array.from({ length: count }, () => startStalledUpload(operator))
    try {
      await waitUntil('two of them to have a place', async () =>
        (await countUnrecordedPayloads()) >= 2 ? true : null,
      )
      const uploadReplies = await Promise.all(
        Array.from({ length: 3 }, () =>
          reviewer.upload(payout, createPdfFile('other.pdf', 50_000)),
        ),
      )
      expect(uploadReplies.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(stalledUploads.filter(({ heard }) => heard.includes(slowMessage))).toEqual([])
    } finally {
      for (const { end } of stalledUploads) end()
    }
    await waitUntil('nothing of them to be kept', async () =>
      (await countUnrecordedPayloads()) === 0 ? true : null,
    )
  })
})

describe('uploads that stall too long', () => {
  const restartWithTimes = async (times: string) => {
    await dashboard.end()
    await dashboard.restart({ TEST_TIMES: times })
  }
  beforeAll(() => restartWithTimes('pauses,hashes,upload,requestBody'))
  afterAll(() => restartWithTimes('pauses,hashes'))

  test.each([4, 20])('%i of them get the reason and leave nothing behind', async (count) => {
    const slowUploads = Array.from({ length: count }, () => startStalledUpload(operator))
    await waitUntil('all of them to be answered and closed', () =>
      slowUploads.every(isAnsweredAndClosed) ? true : null,
    )
    const responseTexts = slowUploads.map(({ heard }) => heard)
    for (const text of responseTexts) expect(text).toMatch(/"reference":"File"/)
    const tooSlowTexts = responseTexts.filter(
      (text) => text.startsWith('HTTP/1.1 422') && text.includes(slowMessage),
    )
    const rateLimitedTexts = responseTexts.filter(
      (text) => text.startsWith('HTTP/1.1 429') && /retry-after: \d+/i.test(text),
    )
    expect(tooSlowTexts.length).toBeGreaterThanOrEqual(2)
    expect(tooSlowTexts.length + rateLimitedTexts.length).toBe(count)
    expect(await countUnrecordedPayloads()).toBe(0)
    expect((await operator.upload(payout, createPdfFile('mine.pdf'))).status).toBe(201)
  })
})

test('an aborted upload frees its slot', async () => {
  const slotHoldingUploads = [startStalledUpload(operator), startStalledUpload(operator)]
  await waitUntil('both to have a place', async () =>
    (await countUnrecordedPayloads()) === 2 ? true : null,
  )
  for (const { end } of slotHoldingUploads) end()
  await waitUntil('nothing of them to be kept', async () =>
    (await countUnrecordedPayloads()) === 0 ? true : null,
  )
  expect((await operator.upload(payout, createPdfFile('after.pdf'))).status).toBe(201)
})

describe('the limit of twenty files per person and hour', () => {
  const createScriptPdf = () =>
    writePdf({ 1: '<< /Type /Catalog /OpenAction << /S /JavaScript >> >>' })

  test('counts attached and refused files, but not aborted or repeated ones', async () => {
    await dashboard.end()
    await dashboard.restart({ PERSON_UPLOADS_PER_HOUR: '' })
    await testStack.db.query('delete from uploads')
    const person = await signIn(dashboard.url)
    const idempotencyKey = createIdempotencyKey()
    expect((await person.upload(payout, createPdfFile('first.pdf'), idempotencyKey)).status).toBe(
      201,
    )
    expect(
      (await person.upload(payout, { name: 'bad.pdf', bytes: createScriptPdf() })).status,
    ).toBe(422)
    expect(
      (await person.upload(payout, { name: 'cut.exe', bytes: createScriptPdf() })).status,
    ).toBe(422)
    for (let sent = 2; sent < 20; sent += 1)
      expect((await person.upload(payout, createPdfFile(`${sent}.pdf`))).status).toBe(201)

    const seqBefore = await sandbox.lastSeq()
    const overLimitReply = await person.upload(payout, createPdfFile('over.pdf'))
    expect(overLimitReply).toMatchObject({
      status: 429,
      body: { error: { code: 'too_many', items: [{ reference: 'File' }] } },
    })
    expect(overLimitReply.body.error?.detail).toMatch(
      /20 files within the last hour.*in \d+ minutes/,
    )
    expect(Number(overLimitReply.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await sandbox.requests(seqBefore)).toEqual([])
    expect(await countUnrecordedPayloads()).toBe(0)

    expect(await person.upload(payout, createPdfFile('first.pdf'), idempotencyKey)).toMatchObject({
      status: 201,
      replayed: true,
    })
    const colleague = await signIn(dashboard.url, 'reviewer')
    expect((await colleague.upload(payout, createPdfFile('colleague.pdf'))).status).toBe(201)
  })
})
