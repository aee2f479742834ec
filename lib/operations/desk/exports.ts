import {
  type DeskOperation,
  defineDeskOperations,
  deskReadDefaults,
  evidenceRoles,
} from '@/lib/operations/define'
import { listResources } from '@/lib/routes'

/** All lists with their own page, and three parts of larger pages. */
export const exportedLists = [...listResources, 'open_actions', 'limits', 'limit_requests'] as const

export type ExportedList = (typeof exportedLists)[number]

const toExportOperation = (list: ExportedList) =>
  ({
    ...deskReadDefaults,
    path: `/exports/${list}`,
    allow: evidenceRoles,
    events: ['start', 'applied', 'broken', 'cancelled'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: `export ${list.replaceAll('_', ' ')}`,
  }) as const satisfies Omit<DeskOperation, 'source'>

export const exportOperations = defineDeskOperations({
  ...(Object.fromEntries(
    exportedLists.map((list) => [`${list}.export`, toExportOperation(list)]),
  ) as {
    [L in ExportedList as `${L}.export`]: ReturnType<typeof toExportOperation>
  }),
  'webhooks.export': { ...toExportOperation('webhooks'), scope: 'platform', allow: ['admin'] },
})
