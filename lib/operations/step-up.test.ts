import { expect, test } from 'vitest'
import type { Operation } from './define'
import { toResource } from './define'
import { type OperationId, operation, operationIds } from './operations'

const needsStepUp = (id: OperationId) => operation(id).stepUp !== undefined
const filterOperations = (matches: (definition: Operation, id: OperationId) => boolean | undefined) =>
  operationIds.filter((id) => matches(operation(id), id))

/** The resources that decide the destination of money, people's permissions, and the need for approval. */
const guardedResources = new Set(['linked_bank_accounts', 'people', 'policies'])
const isWrite = ({ effect, method }: Operation, id: OperationId) =>
  (effect !== 'read' || method === 'DELETE') && guardedResources.has(toResource(id))

test.each([
  ['a reveal', filterOperations((definition) => definition.source === 'service' && definition.sensitive)],
  ['an export', filterOperations((_, id) => id.endsWith('.export'))],
  ['what moves money or says where it goes', filterOperations((definition) => definition.effect === 'money')],
  ['a change of people, policies or linked bank accounts', filterOperations(isWrite)],
  ['a deletion, asked for or done', ['customers.delete', 'deletions.request'] as const],
  ['an unblock', ['paykeys.unblock'] as const],
  ['limits', ['capability_requests.create'] as const],
  ['a decision on what another person sent', ['approvals.approve', 'actions.decide'] as const],
])('%s requires a step-up', (_, ids) => {
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !needsStepUp(id))).toEqual([])
})

test('no upload requires a step-up, because its body cannot wait', () => {
  expect(filterOperations((definition) => definition.source === 'service' && definition.body === 'file').filter(needsStepUp)).toEqual([])
})

test('no automatic or internal operation requires a step-up', () => {
  const automaticOperations = filterOperations((definition) => (definition.source === 'desk' ? definition.unattended : definition.internal))
  expect(automaticOperations.filter(needsStepUp)).toEqual([])
})
