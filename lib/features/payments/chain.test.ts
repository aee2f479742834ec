import { describe, expect, test } from 'vitest'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { buildChain, type ChainNode, findNextStep, type NextStepFacts } from './chain'

type RelatedPaymentTuple = [id: string, relationship: string, kind: string]

const createChainNode = (
  id: string,
  kind: PaymentKind,
  related: RelatedPaymentTuple[],
  overrides: { is_resubmit?: boolean } = {},
): ChainNode => ({
  id,
  kind,
  payment: {
    id,
    status: 'paid',
    amount: '100',
    currency: 'USD',
    payment_date: '2026-03-31',
    is_resubmit: overrides.is_resubmit,
    related_payments: related.map(([other, relationship, payment_type]) => ({
      id: other,
      relationship,
      payment_type,
    })),
  },
})
const createUnreadNode = (id: string, kind: PaymentKind | null): ChainNode => ({
  id,
  kind,
  payment: null,
  why: 'not read',
})
const toNodeMap = (nodes: ChainNode[]) => new Map(nodes.map((each) => [each.id, each]))
const toChainTexts = (nodes: ChainNode[], current: string) =>
  buildChain(toNodeMap(nodes), current).map(
    ({ id, as, depth }) => `${'  '.repeat(depth)}${id} ${as}`,
  )

const resubmittedFlag = { is_resubmit: true }
const resubmittedChain = [
  createChainNode('c1', 'charge', [['c2', 'resubmit', 'charge']]),
  createChainNode(
    'c2',
    'charge',
    [
      ['c1', 'original', 'charge'],
      ['c3', 'resubmit', 'charge'],
    ],
    resubmittedFlag,
  ),
  createChainNode(
    'c3',
    'charge',
    [
      ['c2', 'original', 'charge'],
      ['p1', 'refund', 'payout'],
    ],
    resubmittedFlag,
  ),
  createChainNode('p1', 'payout', [
    ['c3', 'original', 'charge'],
    ['p2', 'resubmit', 'payout'],
  ]),
  createChainNode(
    'p2',
    'payout',
    [
      ['p1', 'original', 'payout'],
      ['c3', 'original', 'charge'],
    ],
    resubmittedFlag,
  ),
]

test('a payment without related payments is its own chain', () => {
  expect(toChainTexts([createChainNode('c1', 'charge', [])], 'c1')).toEqual(['c1 original'])
})

describe.each(['c1', 'c2', 'c3', 'p1', 'p2'])('seen from %s', (current) => {
  test('the chain is the same: attempts in order, then the refund and its resubmission', () => {
    expect(toChainTexts(resubmittedChain, current)).toEqual([
      'c1 original',
      'c2 resubmit',
      'c3 resubmit',
      '  p1 refund',
      '  p2 resubmit',
    ])
  })
})

test('an unreadable payment keeps its place', () => {
  const nodes = [
    createUnreadNode('c1', 'charge'),
    createChainNode('c2', 'charge', [['c1', 'original', 'charge']], resubmittedFlag),
    createUnreadNode('p1', 'payout'),
  ]
  expect(toChainTexts(nodes, 'c2')).toEqual(['c1 original', 'c2 resubmit', '  p1 related'])
})

test('the place of an unreadable later payment comes from the payment that names it', () => {
  const nodes = [
    createChainNode('c1', 'charge', [['p1', 'refund', 'payout']]),
    createUnreadNode('p1', 'payout'),
  ]
  expect(toChainTexts(nodes, 'c1')).toEqual(['c1 original', '  p1 refund'])
})

test('an unknown relationship is shown as related', () => {
  const nodes = [
    createChainNode('c1', 'charge', [['x', 'sibling', 'charge']]),
    createChainNode('x', 'charge', [['c1', 'sibling', 'charge']]),
  ]
  expect(toChainTexts(nodes, 'c1')).toEqual(['c1 original', '  x related'])
})

test('payments that name each other as originals do not cause an endless chain', () => {
  const nodes = [
    createChainNode('a', 'charge', [['b', 'original', 'charge']]),
    createChainNode('b', 'charge', [['a', 'original', 'charge']]),
  ]
  expect(toChainTexts(nodes, 'a')).toHaveLength(2)
})

test('an unread payment has no chain', () => {
  expect(buildChain(new Map(), 'c1')).toEqual([])
})

const createNextStepFacts = (
  status: string,
  code?: string,
  overrides: Partial<NextStepFacts> = {},
): NextStepFacts => ({
  kind: 'charge',
  payment: {
    status,
    has_resubmit: false,
    status_details: {
      code,
      message: undefined,
      reason: undefined,
      source: undefined,
      changed_at: undefined,
    },
  },
  ...overrides,
})

test.each<[string, NextStepFacts, string | null]>([
  ['is on its way', createNextStepFacts('pending'), null],
  ['was paid', createNextStepFacts('paid'), null],
  ['was cancelled by a person', createNextStepFacts('cancelled'), null],
  ['came back for want of money', createNextStepFacts('reversed', 'R01'), 'resubmit'],
  ['failed without a code', createNextStepFacts('failed'), 'resubmit'],
  ['failed for a code nobody knows', createNextStepFacts('failed', 'R77'), 'resubmit'],
  ['was not authorised', createNextStepFacts('failed', 'R10'), 'resubmit'],
  ['met a closed account', createNextStepFacts('failed', 'R02'), 'other_account'],
  ['met an owner who died', createNextStepFacts('failed', 'R14'), 'stop'],
  ['met an account the bank froze', createNextStepFacts('failed', 'R16'), 'stop'],
  [
    'left its bank account blocked, once',
    createNextStepFacts('failed', 'R29', { paykeyStatus: 'blocked', unblockEligible: true }),
    'unblock',
  ],
  [
    'left its bank account permanently blocked',
    createNextStepFacts('failed', 'R29', { paykeyStatus: 'blocked', unblockEligible: false }),
    'other_account',
  ],
  [
    'left it blocked, and nothing says for how long',
    createNextStepFacts('failed', 'R29', { paykeyStatus: 'blocked' }),
    'other_account',
  ],
  [
    'was on an account that was unblocked since',
    createNextStepFacts('failed', 'R29', { paykeyStatus: 'active' }),
    'resubmit',
  ],
  [
    'was on an account that was refused',
    createNextStepFacts('failed', undefined, { paykeyStatus: 'rejected' }),
    'other_account',
  ],
])('the next step of a charge that %s', (_what, given, expected) => {
  expect(findNextStep(given)?.id ?? null).toBe(expected)
})

test.each(['failed', 'reversed', 'cancelled'])(
  'a resubmitted payment that is %s links to its successor in every case',
  (status) => {
    const blockedFacts = createNextStepFacts(status, 'R29', {
      paykeyStatus: 'blocked',
      unblockEligible: true,
    })
    expect(
      findNextStep({ ...blockedFacts, payment: { ...blockedFacts.payment, has_resubmit: true } })
        ?.id,
    ).toBe('follow')
  },
)
