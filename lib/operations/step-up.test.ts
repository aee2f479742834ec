import { expect, test } from 'vitest'
import type { Operation } from './define'
import { toOperationResource } from './define'
import { getOperation, type OperationId, operationIds } from './operations'

const needsStepUp = (id: OperationId) => getOperation(id).stepUp !== undefined
const filterOperationIds = (
  matches: (definition: Operation, id: OperationId) => boolean | undefined,
) => operationIds.filter((id) => matches(getOperation(id), id))

/**
 * The resources that determine where money goes, who has which role, and what needs an approval.
 */
const guardedResources = new Set(['linked_bank_accounts', 'people', 'policies'])
const isGuardedWrite = ({ effect, method }: Operation, id: OperationId) =>
  (effect !== 'read' || method === 'DELETE') && guardedResources.has(toOperationResource(id))

test.each([
  [
    'a reveal',
    filterOperationIds((definition) => definition.source === 'service' && definition.sensitive),
  ],
  ['an export', filterOperationIds((_, id) => id.endsWith('.export'))],
  [
    'what moves money or says where it goes',
    filterOperationIds((definition) => definition.effect === 'money'),
  ],
  ['a change of people, policies or linked bank accounts', filterOperationIds(isGuardedWrite)],
  ['a deletion, asked for or done', ['customers.delete', 'deletions.request'] as const],
  ['an unblock', ['paykeys.unblock'] as const],
  ['limits', ['capability_requests.create'] as const],
  ['a decision on what another person sent', ['approvals.approve', 'actions.decide'] as const],
])('%s requires a step-up', (_, ids) => {
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !needsStepUp(id))).toEqual([])
})

test('no upload requires a step-up, because its body cannot wait', () => {
  expect(
    filterOperationIds(
      (definition) => definition.source === 'service' && definition.body === 'file',
    ).filter(needsStepUp),
  ).toEqual([])
})

test('no automatic or internal operation requires a step-up', () => {
  const unattendedOperations = filterOperationIds((definition) =>
    definition.source === 'desk' ? definition.unattended : definition.internal,
  )
  expect(unattendedOperations.filter(needsStepUp)).toEqual([])
})
