import { describe, expect, test } from 'vitest'
import { assessMove } from '@/sandbox/machine'
import type { LinkedPaykey } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { paykeyStatuses } from './paykey-schema'
import { paykeyMachine } from './paykey-store'

const { client } = startSandboxPerFile()

type MoveRequest = {
  move: string
  method: 'put' | 'patch'
  path: string
  body: Record<string, unknown>
  operation: string
  status: number
}

const moveRequests: readonly MoveRequest[] = [
  {
    move: 'cancel',
    method: 'put',
    path: 'cancel',
    body: { reason: 'Closed by the customer' },
    operation: 'paykeys.cancel',
    status: 200,
  },
  {
    move: 'approve',
    method: 'patch',
    path: 'review',
    body: { status: 'active' },
    operation: 'paykeys.decide',
    status: 200,
  },
  {
    move: 'reject',
    method: 'patch',
    path: 'review',
    body: { status: 'rejected' },
    operation: 'paykeys.decide',
    status: 200,
  },
  {
    move: 'unblock',
    method: 'patch',
    path: 'unblock',
    body: { message: 'Allow-listed' },
    operation: 'paykeys.unblock',
    status: 200,
  },
  {
    move: 'refresh_review',
    method: 'put',
    path: 'refresh_review',
    body: {},
    operation: 'paykeys.refresh_review',
    status: 202,
  },
  {
    move: 'refresh_balance',
    method: 'put',
    path: 'refresh_balance',
    body: {},
    operation: 'paykeys.refresh_balance',
    status: 202,
  },
]

// Status after each move, by move and current status. Written by hand from the provider's table: if
// it were derived from `paykeyMachine`, the test could not find errors there.
const statusAfterMove: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cancel: { pending: 'inactive', active: 'inactive', review: 'inactive', blocked: 'inactive' },
  approve: { review: 'active' },
  reject: { review: 'rejected' },
  unblock: { blocked: 'active' },
  refresh_review: { active: 'active', review: 'review' },
  refresh_balance: { active: 'active', review: 'review' },
}

const expectedDetailsByMove: Readonly<Record<string, Record<string, unknown>>> = {
  cancel: {
    reason: 'cancel_request',
    source: 'user_action',
    message: 'Closed by the customer',
    code: null,
  },
  approve: { reason: 'ok', source: 'user_action', code: null },
  reject: { reason: 'failed_verification', source: 'user_action', code: null },
  unblock: { reason: 'user_request', source: 'user_action', message: 'Allow-listed', code: null },
}

const transitionCases = moveRequests.flatMap((ask) =>
  paykeyStatuses.map((status) => ({
    ...ask,
    from: status,
    target: statusAfterMove[ask.move]?.[status],
  })),
)

const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const createPaykey = async (status: string) =>
  (await client().payout({ paykey_status: status, status: 'cancelled' })).paykey_details.id
const listEvents = async (id: string) => (await client().control(`events?object_id=${id}`)).data

// Moves that the service makes itself, without a request: the status after each move, by move and
// current status. Also written by hand. `same` means that the move is allowed but the status does
// not change.
const statusAfterClockMove: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pass: { pending: 'active', review: 'active', active: 'same' },
  flag: { pending: 'review', active: 'review', review: 'same' },
  fail: { pending: 'rejected', active: 'rejected', review: 'rejected' },
  block: { pending: 'blocked', active: 'blocked', review: 'blocked' },
  close: { blocked: 'blocked' },
}

test.each(Object.keys(statusAfterClockMove))(
  '%s, which the clock triggers, is allowed in its statuses only',
  (name) => {
    const move = Object.entries(paykeyMachine.moves).find(([known]) => known === name)?.[1]
    const statusVerdictPairs = paykeyStatuses.map((status) => {
      const verdict = assessMove(paykeyMachine, name as keyof typeof paykeyMachine.moves, status)
      return [status, verdict === 'moves' ? move?.to : verdict === 'already' ? 'same' : undefined]
    })
    expect([move?.by, statusVerdictPairs]).toEqual([
      'clock',
      paykeyStatuses.map((status) => [status, statusAfterClockMove[name]?.[status]]),
    ])
  },
)

describe('requested transitions', () => {
  test.each(transitionCases.filter(({ target }) => target !== undefined))(
    '$move from $from leads to $target',
    async (pair) => {
      const id = await createPaykey(pair.from)
      const eventCountBefore = (await listEvents(id)).length
      const response = await client()[pair.method](`/v1/paykeys/${id}/${pair.path}`, pair.body)
      const paykeyAfter = await readPaykey(id)
      expect([response.status, paykeyAfter.status]).toEqual([pair.status, pair.target])
      if (expectedDetailsByMove[pair.move])
        expect(paykeyAfter.status_details).toMatchObject(expectedDetailsByMove[pair.move] ?? {})
      expect(paykeyAfter.unblock_eligible).toBeNull()
      expect(await client().effects(id)).toMatchObject([
        { operation: pair.operation, from: pair.from, to: pair.target },
      ])
      const newEvents = (await listEvents(id)).slice(eventCountBefore)
      expect(newEvents).toMatchObject([
        {
          type: 'paykey.event.v1',
          payload: { data: { ...paykeyAfter, paykey: expect.stringMatching(/^[^*]+$/) } },
        },
      ])
    },
  )

  test.each(transitionCases.filter(({ target }) => target === undefined))(
    '$move from $from is refused',
    async (pair) => {
      const id = await createPaykey(pair.from)
      const [before, told] = [await readPaykey(id), await listEvents(id)]
      const moveResponse = await client()[pair.method](`/v1/paykeys/${id}/${pair.path}`, pair.body)
      expect([moveResponse.status, moveResponse.json.error?.detail]).toEqual([
        422,
        expect.stringContaining(`status ${pair.from}`),
      ])
      expect(moveResponse.json.error?.items).toBeUndefined()
      expect([await readPaykey(id), await listEvents(id), await client().effects(id)]).toEqual([
        before,
        told,
        [],
      ])
    },
  )

  test('the tests cover every transition of the table', () => {
    expect(Object.keys(paykeyMachine.moves).sort()).toEqual(
      [...moveRequests.map(({ move }) => move), ...Object.keys(statusAfterClockMove)].sort(),
    )
  })
})

describe('the body of a request', () => {
  test('may omit reason and message, or be missing', async () => {
    const [one, other] = [await createPaykey('active'), await createPaykey('blocked')]
    expect(
      (await client().ask(`/v1/paykeys/${one}/cancel`, { method: 'PUT' })).json.data,
    ).toMatchObject({ status: 'inactive' })
    const unblockResponse = await client().patch(`/v1/paykeys/${other}/unblock`, { message: null })
    expect(unblockResponse.json.data).toMatchObject({
      status: 'active',
      status_details: { message: expect.stringMatching(/./) },
    })
  })

  test.each([
    ['patch', 'review', { status: 'verified' }, 'status'],
    ['patch', 'review', { status: 'active', note: 'x' }, 'note'],
    ['put', 'cancel', { reason: 'x'.repeat(501) }, 'reason'],
    ['patch', 'unblock', { message: 7 }, 'message'],
  ] as const)(
    '%s %s with %j is rejected with the field name',
    async (method, path, body, field) => {
      const refusedResponse = await client()[method](
        `/v1/paykeys/${await createPaykey('review')}/${path}`,
        body,
      )
      expect([refusedResponse.status, refusedResponse.json.error?.items]).toEqual([
        422,
        [expect.objectContaining({ reference: field })],
      ])
    },
  )

  test.each([
    ['ask', ''],
    ['ask', '/review'],
    ['ask', '/reveal'],
    ['ask', '/unmasked'],
    ['put', '/cancel'],
    ['put', '/refresh_review'],
    ['put', '/refresh_balance'],
  ] as const)(
    '%s of an unknown paykey or one of another account is 404: %s',
    async (method, path) => {
      const payout = await client().payout({ status: 'cancelled' })
      const accounts = (await client().ask('/v1/accounts?status=active')).json.data as {
        id: string
      }[]
      const headers = {
        'service-account-id': accounts.find(({ id }) => id !== payout.account_id)?.id ?? '',
      }
      const sendPaykeyRequest = (id: string) =>
        method === 'ask'
          ? client().ask(`/v1/paykeys/${id}${path}`, { headers })
          : client().put(`/v1/paykeys/${id}${path}`, {}, headers)
      expect((await sendPaykeyRequest('01890000-0000-7000-8000-000000000000')).status).toBe(404)
      expect((await sendPaykeyRequest(payout.paykey_details.id)).status).toBe(404)
    },
  )
})

test('an unmasked read requires the setting of the account', async () => {
  const accounts = (await client().ask('/v1/accounts?status=active')).json.data as { id: string }[]
  const unmaskStatuses = new Set<unknown>()
  for (const { id } of accounts) {
    const settings = (await client().ask(`/v1/account_settings/${id}`)).json.data as {
      configuration: { allow_data_unmask: boolean }
    }
    const payout = await client().payout({ account_id: id, status: 'cancelled' })
    const unmaskResponse = await client().ask(`/v1/paykeys/${payout.paykey_details.id}/unmasked`)
    expect(unmaskResponse.status).toBe(settings.configuration.allow_data_unmask ? 200 : 403)
    unmaskStatuses.add(unmaskResponse.status)
  }
  expect([...unmaskStatuses].sort()).toEqual([200, 403])
})
