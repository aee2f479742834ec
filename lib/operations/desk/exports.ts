import { canUploadEvidence, type DeskOperation, defineDeskOperations, deskRead } from '@/lib/operations/define'
import { listResources } from '@/lib/routes'

/** What can be had as a file, by the name its address gives it: the lists with a page, and three that are parts of one. */
export const exportedLists = [...listResources, 'open_actions', 'limits', 'limit_requests'] as const

/** One of the lists that can be had as a file. */
export type ExportedList = (typeof exportedLists)[number]

const exported = (list: ExportedList) =>
  ({
    ...deskRead,
    path: `/exports/${list}`,
    allow: canUploadEvidence,
    events: ['start', 'applied', 'broken', 'cancelled'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: `export ${list.replaceAll('_', ' ')}`,
  }) as const satisfies Omit<DeskOperation, 'source'>

/** Lists as files. */
export const exports = defineDeskOperations({
  ...(Object.fromEntries(exportedLists.map((list) => [`${list}.export`, exported(list)])) as {
    [L in ExportedList as `${L}.export`]: ReturnType<typeof exported>
  }),
  'webhooks.export': { ...exported('webhooks'), scope: 'platform', allow: ['admin'] },
})
