import { defineDeskOperations, deskRead } from '@/lib/operations/define'

/** What the page of a record calls before anybody does anything on it: the rows that come with every page, see `lib/client/definition`. */
export const firstReads = defineDeskOperations({
  'actions.list': { ...deskRead, path: '/actions', unattended: true, verbPhrase: 'list actions' },
  'deletions.list': { ...deskRead, path: '/deletions', verbPhrase: 'list deletions' },
  'notes.list': { ...deskRead, path: '/notes/:resource/:record', scope: 'object', unattended: true, verbPhrase: 'read notes' },
})
