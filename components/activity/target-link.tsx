import Link from 'next/link'
import { type RecordResource, recordPath } from '@/lib/routes'

const withPages: readonly string[] = [
  'payouts',
  'charges',
  'paykeys',
  'customers',
  'accounts',
  'organizations',
  'representatives',
  'linked_bank_accounts',
  'funding_events',
] satisfies RecordResource[]

type TargetLinkProps = { environment: string; account: string | null; target: string | null }

/** The object a call or an action was about, as a link to its page; kinds without a page are named, and a search has none. */
export function TargetLink({ environment, account, target }: TargetLinkProps) {
  if (!target) return <span className="text-ink-3">no single object</span>
  const [resource = '', id = ''] = target.split('/')
  const words = resource.replaceAll('_', ' ').replace(/s$/, '')
  if (!withPages.includes(resource)) return <span className="text-ink-2">{words}</span>
  return (
    <Link
      href={recordPath(environment, resource as RecordResource, id, { account })}
      prefetch={false}
      title={id}
      className="truncate text-accent hover:underline"
    >
      {words} …{id.slice(-6)}
    </Link>
  )
}
