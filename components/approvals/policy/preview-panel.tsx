import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { getAccountName } from '@/lib/client/page-context'
import { formatRequestTitle } from '@/lib/features/approvals/labels'
import type { PageContext } from '@/lib/operations/page-context'
import type { PolicyPreview, PreviewedAction } from '@/lib/operations/policies'
import { targetPath } from '@/lib/routes'

const formatCount = (count: number) => count.toLocaleString('en-US')

const formatMatchCount = (count: number) =>
  count === 1 ? 'one matching action' : `${formatCount(count)} matching actions`

function ActionTitle({ context, action }: { context: PageContext; action: PreviewedAction }) {
  const title = formatRequestTitle(action, action.amount)
  const href = targetPath(context, action.target, { account: action.account })
  if (!href) return <span className="font-medium">{title}</span>
  return (
    <Link href={href} className="font-medium text-accent hover:underline">
      {title}
    </Link>
  )
}

/** The actions of the last `days` days that the policy would have blocked or sent to approval. */
export function PreviewPanel({
  context,
  preview,
}: {
  context: PageContext
  preview: PolicyPreview
}) {
  const { days, looked_at, held, actions } = preview
  return (
    <div className="grid gap-2 text-sm">
      <p>
        {looked_at === 0
          ? `None of these operations was carried out in the last ${days} days in this environment.`
          : `${formatCount(held)} of the ${formatMatchCount(looked_at)} in the last ${days} days in this environment would have needed approval.`}
      </p>
      {actions.length > 0 && (
        <ul className="grid">
          {actions.map((action) => (
            <li
              key={action.id}
              className="flex flex-wrap items-baseline gap-x-3 border-line border-b py-1 last:border-b-0"
            >
              <ActionTitle context={context} action={action} />
              <ExternalText className="text-ink-2">{action.actor}</ExternalText>
              {action.account && (
                <ExternalText className="text-ink-3">
                  {getAccountName(context, action.account)}
                </ExternalText>
              )}
              <RelativeTime
                at={action.created_at}
                show="ago"
                className="ml-auto text-ink-3 text-xs"
              />
            </li>
          ))}
        </ul>
      )}
      {held > actions.length && (
        <p className="text-ink-3 text-xs">
          {formatCount(held - actions.length)} earlier ones are not listed here.
        </p>
      )}
    </div>
  )
}
