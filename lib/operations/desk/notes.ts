import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  evidenceRoles,
} from '@/lib/operations/define'

const noteWriteDefaults = {
  ...deskWriteDefaults,
  scope: 'object',
  allow: evidenceRoles,
  events: ['applied'],
  invalidates: ['notes'],
} as const

/** Includes the export of the evidence for the decisions on a record. */
export const notes = defineDeskOperations({
  'notes.list': {
    ...deskReadDefaults,
    path: '/notes/:resource/:record',
    scope: 'object',
    unattended: true,
    verbPhrase: 'read notes',
  },
  'notes.create': {
    ...noteWriteDefaults,
    path: '/notes/:resource/:record',
    status: 201,
    verbPhrase: 'write a note',
  },
  'notes.withdraw': {
    ...noteWriteDefaults,
    method: 'DELETE',
    path: '/notes/:resource/:record/:note',
    verbPhrase: 'withdraw a note',
  },
  'notes.evidence': {
    ...deskReadDefaults,
    path: '/evidence/:resource/:record',
    scope: 'object',
    allow: evidenceRoles,
    events: ['start', 'applied'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: 'export evidence',
  },
})
