'use client'

import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { renderTimeColumnHeader } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { type ListColumn, ListTable, RowLink } from '@/components/kits/list/table'
import { linkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { Badge, StatusBadge } from '@/components/ui/tone'
import { getAccountName, type PageContext } from '@/lib/client/page-context'
import { findOwnValue } from '@/lib/domain/service-words'
import {
  describeEventType,
  getWebhookNoteText,
  webhookKindWords,
  webhookStateWords,
} from '@/lib/domain/webhook-labels'
import type { WebhookView } from '@/lib/operations/webhooks'
import { targetPath, webhookPath } from '@/lib/routes'
import { webhookList } from './list'

/** The tab of refused webhooks has one row per cause and day. */
export function WebhookTable({ rows, view, caption }: TableProps<WebhookView>) {
  const context = usePageContext()
  if (view.tab.id === 'refused')
    return (
      <DataTable
        caption={caption}
        columns={refusedWebhookColumns}
        rows={rows}
        rowId={({ id }) => id}
      />
    )
  const getWebhookHref = (row: WebhookView) => webhookPath(context, row.id)
  return (
    <ListTable
      spec={webhookList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildWebhookColumns(context)}
      hrefOf={getWebhookHref}
    />
  )
}

const buildReceivedColumn = (headerText: string): ListColumn<WebhookView> => ({
  id: 'received',
  sort: 'received_at',
  narrow: 'note',
  header: renderTimeColumnHeader(headerText),
  cell: (row) => (
    <RelativeTime
      at={row.received_at}
      show="both"
      zone={false}
      className="text-ink-2 @max-[44rem]:text-xs"
    />
  ),
  className: '@min-[44rem]:w-54',
})

const buildWebhookColumns = (context: PageContext): readonly ListColumn<WebhookView>[] => [
  buildReceivedColumn('Received'),
  {
    id: 'type',
    header: 'Event',
    narrow: 'title',
    cell: (row) => (
      <RowLink
        id={row.id}
        href={webhookPath(context, row.id)}
        hidden={`webhook ${row.id.slice(-6)}`}
      >
        <EventTypeText type={row.event_type} />
      </RowLink>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: StateBadges,
  },
  {
    id: 'target',
    header: 'Record',
    narrow: 'line',
    // In a narrow list the whole row is one link, so the record is plain text there. A second link
    // would be too close to the first one.
    cell: (row) => (
      <>
        <span className="@max-[44rem]:hidden">
          <WebhookTarget {...row} />
        </span>
        <span className="@min-[44rem]:hidden text-ink-2">{formatTarget(row.target)}</span>
      </>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: (row) => (
      <ExternalText className="text-ink-2">
        {row.account && getAccountName(context, row.account)}
      </ExternalText>
    ),
    className: '@max-[64rem]:hidden',
  },
  {
    id: 'note',
    header: 'Note',
    cell: (row) => <span className="text-ink-2">{getWebhookNoteText(row)}</span>,
    className: '@max-[72rem]:hidden',
  },
  {
    id: 'tries',
    header: 'Attempts',
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row.tries}</span>,
    className: 'w-20',
  },
  {
    id: 'id',
    header: 'Webhook ID',
    cell: (row) => (
      <span className="relative z-1">
        <ShortId id={row.id} what="webhook ID" />
      </span>
    ),
    className: 'w-40',
  },
]

/** `Customer changed`, and in a wide list also the type's code. */
function EventTypeText({ type }: { type: string | null }) {
  const description = describeEventType(type)
  if (description === null) return <ExternalText>{type}</ExternalText>
  return (
    <>
      {description}
      <ExternalText className="font-normal text-ink-3 @max-[44rem]:hidden"> {type}</ExternalText>
    </>
  )
}

export const StateBadges = ({ state, verified }: Pick<WebhookView, 'state' | 'verified'>) => (
  <span className="flex flex-wrap items-center gap-1.5 @max-[44rem]:justify-end">
    <StatusBadge tone={webhookStateWords[state].tone}>{webhookStateWords[state].label}</StatusBadge>
    {!verified && <Badge tone="held">No valid signature</Badge>}
  </span>
)

function formatTarget(target: string | null): string {
  const [resource = '', id = ''] = target?.split('/') ?? []
  return target
    ? `${findOwnValue(webhookKindWords, resource)?.toLowerCase() ?? resource} …${id.slice(-6)}`
    : 'unknown'
}

/** If the record has no page, its name is shown without a link. */
export function WebhookTarget({ target, account }: Pick<WebhookView, 'target' | 'account'>) {
  const context = usePageContext()
  if (target === null) return <span className="text-ink-3">unknown</span>
  const targetLabel = formatTarget(target)
  const href = targetPath(context, target, { account })
  if (href === null) return <span className="text-ink-2">{targetLabel}</span>
  return (
    <Link
      href={href}
      title={target.split('/')[1]}
      className={cn(
        linkClasses,
        'relative z-1 inline-block min-h-6 max-w-full truncate align-middle leading-6',
      )}
    >
      {targetLabel}
    </Link>
  )
}

const refusedWebhookColumns: readonly Column<WebhookView>[] = [
  {
    id: 'cause',
    header: 'Cause',
    narrow: 'title',
    cell: (row) => <span className="font-medium">{getWebhookNoteText(row)}</span>,
  },
  {
    id: 'count',
    header: 'Deliveries of the day',
    narrow: 'figure',
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row.count.toLocaleString('en-US')}</span>,
    className: '@min-[44rem]:w-44',
  },
  buildReceivedColumn('Last'),
]
