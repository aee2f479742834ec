import { type DeskOperation, defineDeskOperations, deskRead, evidenceRoles } from '@/lib/operations/define'
import { listResources } from '@/lib/routes'

/** The lists that can be exported, by their name in the URL: those with a page, and three that are parts of a page. */
export const exportedLists = [...listResources, 'open_actions', 'limits', 'limit_requests'] as const

export type ExportedList = (typeof exportedLists)[number]

const toExportOperation = (list: ExportedList) =>
  ({
    ...deskRead,
    path: `/exports/${list}`,
    allow: evidenceRoles,
    events: ['start', 'applied', 'broken', 'cancelled'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: `export ${list.replaceAll('_', ' ')}`,
  }) as const satisfies Omit<DeskOperation, 'source'>

export const exportOperations = defineDeskOperations({
  ...(Object.fromEntries(exportedLists.map((list) => [`${list}.export`, toExportOperation(list)])) as {
    [L in ExportedList as `${L}.export`]: ReturnType<typeof toExportOperation>
  }),
  'webhooks.export': { ...toExportOperation('webhooks'), scope: 'platform', allow: ['admin'] },
})
