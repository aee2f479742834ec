import { expect, test } from 'vitest'
import { operationIds } from '@/lib/operations/rows'
import { deskEvents, operationEvents, refusalEvents } from './codes'

/**
 * Every code that was ever written. Rows stay for years, and who reads them searches by these words: a line may be added here, none may be changed or
 * taken away.
 */
const frozen = {
  operations: ['start', 'applied', 'refused', 'unknown', 'needs_human', 'checked', 'decided', 'blocked'],
  refusals: ['denied', 'unauthenticated', 'other_site', 'too_many'],
  desk: [
    'account_of.find',
    'actions.check',
    'actions.decide',
    'actions.list',
    'actions.read',
    'activity.open',
    'deletions.certificate',
    'deletions.certify applied',
    'deletions.list',
    'deletions.request applied',
    'deletions.withdraw applied',
    'find.search',
    'limit_requests.list',
    'limit_requests.use',
    'page.open',
    'payments.export start applied broken cancelled',
    'people.create applied',
    'refusals.others counted',
    'requests.list',
    'session.sign_in applied refused',
    'session.sign_out applied',
    'views.create applied',
    'views.delete applied',
    'views.list',
    'views.update applied',
  ],
}

test('no audit code was renamed or taken away', () => {
  expect([...operationEvents]).toEqual(expect.arrayContaining(frozen.operations))
  expect(Object.values(refusalEvents)).toEqual(expect.arrayContaining(frozen.refusals))
  const desk = Object.entries(deskEvents).map(([name, events]) => [name, ...events].join(' '))
  expect(desk).toEqual(expect.arrayContaining(frozen.desk))
})

test('each is one thing only: none of ours is named like an operation of the service', () => {
  const named: readonly string[] = operationIds
  expect(Object.keys(deskEvents).filter((name) => named.includes(name))).toEqual([])
  expect(Object.values(refusalEvents).filter((event) => (operationEvents as readonly string[]).includes(event))).toEqual([])
})
