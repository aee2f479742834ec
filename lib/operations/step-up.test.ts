import { expect, test } from 'vitest'
import type { Operation } from './define'
import { resourceOf } from './define'
import { type OperationId, operation, operationIds } from './operations'

const needsStepUp = (id: OperationId) => operation(id).stepUp !== undefined
const are = (fits: (definition: Operation, id: OperationId) => boolean | undefined) => operationIds.filter((id) => fits(operation(id), id))

/** The resources that decide the destination of money, people's permissions, and the need for approval. */
const guarded = new Set(['linked_bank_accounts', 'people', 'policies'])
const isWrite = ({ effect, method }: Operation, id: OperationId) =>
  (effect !== 'read' || method === 'DELETE') && guarded.has(resourceOf(id))

test.each([
  ['a reveal', are((definition) => definition.source === 'service' && definition.sensitive)],
  ['an export', are((_, id) => id.endsWith('.export'))],
  ['what moves money or says where it goes', are((definition) => definition.effect === 'money')],
  ['a change of people, policies or linked bank accounts', are(isWrite)],
  ['a deletion, asked for or done', ['customers.delete', 'deletions.request'] as const],
  ['an unblock', ['paykeys.unblock'] as const],
  ['limits', ['capability_requests.create'] as const],
  ['a decision on what another person sent', ['approvals.approve', 'actions.decide'] as const],
])('%s requires a step-up', (_, ids) => {
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !needsStepUp(id))).toEqual([])
})

test('no upload requires a step-up, because its body cannot wait', () => {
  expect(are((definition) => definition.source === 'service' && definition.body === 'file').filter(needsStepUp)).toEqual([])
})

test('no automatic or internal operation requires a step-up', () => {
  const automatic = are((definition) => (definition.source === 'desk' ? definition.unattended : definition.internal))
  expect(automatic.filter(needsStepUp)).toEqual([])
})
