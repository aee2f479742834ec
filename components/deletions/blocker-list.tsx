'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Notice } from '@/components/ui/notice'
import type { DeletionBlocker } from '@/lib/operations/deletion'
import { recordPath } from '@/lib/routes'

/** What stands in the way, first and with a link to each; or that nothing does. */
export function BlockerList({ blockers }: { blockers: readonly DeletionBlocker[] }) {
  const { environment, account } = useDesk()
  if (blockers.length === 0) {
    return (
      <Notice tone="good" title="Nothing stands in the way">
        <p>It is looked at once more just before the deletion is sent.</p>
      </Notice>
    )
  }
  return (
    <Notice tone="held" title="This stands in the way">
      <ul aria-label="Blockers" className="grid gap-2">
        {blockers.map((blocker) => (
          <li key={blocker.id} className="grid gap-0.5">
            <span className="font-medium text-ink">{blocker.text}</span>
            {blocker.links.length > 0 && (
              <ul className="flex flex-wrap gap-x-4 gap-y-1">
                {blocker.links.map((link) => (
                  <li key={`${link.resource} ${link.id}`}>
                    <Link href={recordPath(environment, link.resource, link.id, { account })} className="text-accent hover:underline">
                      <bdi className="capitalize">{link.label}</bdi> <span className="font-mono text-xs">…{link.id.slice(-6)}</span>
                    </Link>
                  </li>
                ))}
                {blocker.count > blocker.links.length && <li className="text-ink-3">and {blocker.count - blocker.links.length} more</li>}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
