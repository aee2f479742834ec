import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHugePdf, createSlowPdf } from './corpus/pdf-heavy'
import { createPdfFile } from './harness/person'
import { type OwnDesk, startWholeDesk } from './harness/whole-desk'

let desk: OwnDesk

beforeAll(async () => {
  desk = await startWholeDesk()
})
afterAll(() => desk?.stop())

/** Uploads a file that must be refused as too complex, and then a file that must be accepted. */
async function expectOnlyRefused(bytes: Uint8Array): Promise<void> {
  const { sandbox, operator } = desk
  const payout = await sandbox.makePayout()
  const seqBefore = await sandbox.lastSeq()
  const reply = await operator.upload(payout, { name: 'letter.pdf', bytes })
  expect(reply).toMatchObject({ status: 422, body: { error: { detail: expect.stringContaining('too complex to be checked') } } })
  expect(await sandbox.requests(seqBefore)).toEqual([])
  expect(await operator.upload(payout, createPdfFile('next.pdf'))).toMatchObject({ status: 201 })
}

test('a small file whose check needs half a gigabyte is refused, and the next one is accepted', () => expectOnlyRefused(createHugePdf()))

test('a small file whose check takes half a minute is refused, and the next one is accepted', async () => {
  await desk.dashboard.end()
  await desk.dashboard.restart({ TEST_TIMES: 'pauses,hashes,fileCheck' })
  await expectOnlyRefused(createSlowPdf())
})
