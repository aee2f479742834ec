import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  evidenceRoles,
} from '@/lib/operations/define'

/** An approval, rejection, question or answer is audited under the operation that needs it, not under `approvals`. */
export const approvals = defineDeskOperations({
  'approvals.list': {
    ...deskReadDefaults,
    path: '/approvals',
    unattended: true,
    verbPhrase: 'list requests for approval',
  },
  'approvals.needed': {
    ...deskReadDefaults,
    path: '/approval-needed',
    unattended: true,
    verbPhrase: 'see who has to approve a write',
  },
  'approvals.read': {
    ...deskReadDefaults,
    path: '/approvals/:id',
    scope: 'object',
    unattended: true,
    verbPhrase: 'read a request for approval',
  },
  'approvals.approve': {
    ...deskWriteDefaults,
    path: '/approvals/:id/approve',
    scope: 'object',
    allow: evidenceRoles,
    effect: 'money',
    stepUp: true,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'approve a request',
  },
  'approvals.reject': {
    ...deskWriteDefaults,
    path: '/approvals/:id/reject',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'reject a request',
  },
  'approvals.ask': {
    ...deskWriteDefaults,
    path: '/approvals/:id/ask',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'ask the requester for information',
  },
  'approvals.answer': {
    ...deskWriteDefaults,
    path: '/approvals/:id/answer',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'answer a question about a request',
  },
  'approvals.withdraw': {
    ...deskWriteDefaults,
    path: '/approvals/:id/withdraw',
    scope: 'object',
    allow: evidenceRoles,
    invalidates: ['approvals', 'actions', 'queue_counts'],
    verbPhrase: 'withdraw a request',
  },
})

const policyWriteDefaults = {
  scope: 'platform',
  allow: ['admin'],
  events: ['applied'],
  invalidates: ['policies', 'queue_counts'],
} as const

/** One admin proposes a change, and another puts it in force. */
export const policies = defineDeskOperations({
  'policies.read': {
    ...deskReadDefaults,
    path: '/policies',
    scope: 'platform',
    allow: ['admin', 'reviewer'],
    verbPhrase: 'read the approval policy',
  },
  'policies.preview': {
    ...deskReadDefaults,
    method: 'POST',
    path: '/policies/preview',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'preview an approval policy',
  },
  'policies.propose': {
    ...deskWriteDefaults,
    ...policyWriteDefaults,
    stepUp: true,
    path: '/policies',
    verbPhrase: 'propose an approval policy',
  },
  'policies.confirm': {
    ...deskWriteDefaults,
    ...policyWriteDefaults,
    stepUp: true,
    path: '/policies/:version/confirm',
    verbPhrase: 'put an approval policy in force',
  },
  'policies.reject': {
    ...deskWriteDefaults,
    ...policyWriteDefaults,
    stepUp: true,
    path: '/policies/:version/reject',
    verbPhrase: 'reject an approval policy',
  },
})
