import Link from 'next/link'
import { targetPath } from '@/lib/routes'

type TargetLinkProps = { environment: string; account: string | null; target: string | null }

/** The object a call or an action was about, as a link to its page; kinds without a page are named, and a search has none. */
export function TargetLink({ environment, account, target }: TargetLinkProps) {
  if (!target) return <span className="text-ink-3">no single object</span>
  const [resource = '', id = ''] = target.split('/')
  const words = resource.replaceAll('_', ' ').replace(/s$/, '')
  const href = targetPath(environment, target, { account })
  if (href === null) return <span className="text-ink-2">{words}</span>
  return (
    <Link
      href={href}
      prefetch={false}
      title={id}
      className="relative z-1 inline-block min-h-6 truncate align-middle text-accent leading-6 hover:underline"
    >
      {words} …{id.slice(-6)}
    </Link>
  )
}
