import { defineDeskOperations, deskRead, deskWrite, evidenceRoles } from '@/lib/operations/define'

const noteWrite = { ...deskWrite, scope: 'object', allow: evidenceRoles, events: ['applied'], invalidates: ['notes'] } as const

/** Notes on a record, and the export of the evidence for the decisions on it. */
export const notes = defineDeskOperations({
  'notes.list': { ...deskRead, path: '/notes/:resource/:record', scope: 'object', unattended: true, verbPhrase: 'read notes' },
  'notes.create': { ...noteWrite, path: '/notes/:resource/:record', status: 201, verbPhrase: 'write a note' },
  'notes.withdraw': { ...noteWrite, method: 'DELETE', path: '/notes/:resource/:record/:note', verbPhrase: 'withdraw a note' },
  'notes.evidence': {
    ...deskRead,
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
