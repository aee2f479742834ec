import { defineDeskOperations, deskRead, deskWrite, evidenceRoles } from '@/lib/operations/define'

/** Requests for approval. Their outcomes are audited under the operation that needs the approval. */
export const approvals = defineDeskOperations({
  'approvals.list': { ...deskRead, path: '/approvals', unattended: true, verbPhrase: 'list requests for approval' },
  'approvals.needed': { ...deskRead, path: '/approval-needed', unattended: true, verbPhrase: 'see who has to approve a write' },
  'approvals.read': { ...deskRead, path: '/approvals/:id', scope: 'object', unattended: true, verbPhrase: 'read a request for approval' },
  'approvals.approve': {
    ...deskWrite,
    path: '/approvals/:id/approve',
    scope: 'object',
    allow: evidenceRoles,
    effect: 'money',
    stepUp: true,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'approve a request',
  },
  'approvals.reject': {
    ...deskWrite,
    path: '/approvals/:id/reject',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'reject a request',
  },
  'approvals.withdraw': {
    ...deskWrite,
    path: '/approvals/:id/withdraw',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'withdraw a request',
  },
})

const policyWrite = { scope: 'platform', allow: ['admin'], events: ['applied'], invalidates: ['policies'] } as const

/** The approval policy. One admin proposes a change, and another puts it in force. */
export const policies = defineDeskOperations({
  'policies.read': {
    ...deskRead,
    path: '/policies',
    scope: 'platform',
    allow: ['admin', 'reviewer'],
    verbPhrase: 'read the approval policy',
  },
  'policies.preview': {
    ...deskRead,
    method: 'POST',
    path: '/policies/preview',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'preview an approval policy',
  },
  'policies.propose': { ...deskWrite, ...policyWrite, stepUp: true, path: '/policies', verbPhrase: 'propose an approval policy' },
  'policies.confirm': {
    ...deskWrite,
    ...policyWrite,
    stepUp: true,
    path: '/policies/:version/confirm',
    verbPhrase: 'put an approval policy in force',
  },
  'policies.reject': {
    ...deskWrite,
    ...policyWrite,
    stepUp: true,
    path: '/policies/:version/reject',
    verbPhrase: 'reject an approval policy',
  },
})
