import { canUploadEvidence, type DeskOperation, defineDeskOperations, deskRead } from '@/lib/operations/define'
import { listResources } from '@/lib/routes'

/** The lists that can be exported, by their name in the URL: those with a page, and three that are parts of a page. */
export const exportedLists = [...listResources, 'open_actions', 'limits', 'limit_requests'] as const

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

export const exports = defineDeskOperations({
  ...(Object.fromEntries(exportedLists.map((list) => [`${list}.export`, exported(list)])) as {
    [L in ExportedList as `${L}.export`]: ReturnType<typeof exported>
  }),
  'webhooks.export': { ...exported('webhooks'), scope: 'platform', allow: ['admin'] },
})
