import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dashboard } from './harness/dashboard'
import { openActions } from './harness/open-actions'
import { type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { type OwnDesk, startWholeDesk } from './harness/whole-desk'

const another = 'another-encryption-key-of-this-run-9876543210'

let desk: OwnDesk
let sandbox: Sandbox
let dashboard: Dashboard
let operator: Person
let actions: ReturnType<typeof openActions>

beforeEach(async () => {
  desk = await startWholeDesk()
  ;({ sandbox, dashboard, operator } = desk)
  actions = openActions(desk)
})
afterEach(() => desk?.stop())

test('without the key of open actions nothing starts and nothing is sent; the words name setting and key; given up for lost, a person decides', async () => {
  const open = await actions.openWrites(operator)
  const seq = await sandbox.lastSeq()
  await dashboard.kill9()
  await actions.due()
  const refused = await dashboard.restart({ ENCRYPTION_KEY: another }).then(
    () => '',
    (error: Error) => error.message,
  )
  const [, id = ''] = /ENCRYPTION_KEY_PREVIOUS: must hold the key ([0-9a-f]{8}), which this store was last used with/.exec(refused) ?? []
  expect(id).not.toBe('')
  expect(refused).toContain(`put ${id} into ENCRYPTION_KEY_LOST`)
  expect(refused).not.toContain(another)
  await dashboard.restart({ ENCRYPTION_KEY: another, ENCRYPTION_KEY_LOST: id })
  for (const each of open) {
    await actions.settles(each, 'needs_human')
    expect(await actions.sent(each, seq)).toEqual([])
  }
  operator = await signIn(dashboard.url)
  expect(await operator.action(open[0]?.id ?? '')).toMatchObject({
    status: 409,
    body: { error: { code: 'needs_human', detail: expect.stringContaining('is lost') }, action: { state: 'needs_human' } },
  })
})
