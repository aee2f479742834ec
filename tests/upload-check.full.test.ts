import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHugePdf, createSlowPdf } from './corpus/pdf-heavy'
import { createPdfFile } from './harness/person'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk

beforeAll(async () => {
  testStack = await startWholeDesk()
})
afterAll(() => testStack?.stop())

/**
 * Expects that a file with these bytes is refused as too complex and not sent to the service, and
 * that the next upload is accepted.
 */
async function expectOneFileRefused(bytes: Uint8Array): Promise<void> {
  const { sandbox, operator } = testStack
  const payout = await sandbox.makePayout()
  const seqBefore = await sandbox.lastSeq()
  const reply = await operator.upload(payout, { name: 'letter.pdf', bytes })
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { detail: expect.stringContaining('too complex to be checked') } },
  })
  expect(await sandbox.requests(seqBefore)).toEqual([])
  expect(await operator.upload(payout, createPdfFile('next.pdf'))).toMatchObject({ status: 201 })
}

test('a small file whose check needs half a gigabyte is refused, and the next one is accepted', () =>
  expectOneFileRefused(createHugePdf()))

test('a small file whose check takes half a minute is refused, and the next one is accepted', async () => {
  await testStack.dashboard.end()
  await testStack.dashboard.restart({ TEST_TIMES: 'pauses,hashes,fileCheck' })
  await expectOneFileRefused(createSlowPdf())
})
