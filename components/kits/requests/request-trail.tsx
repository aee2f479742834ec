'use client'

import { lazy, Suspense, useId, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { rolesText } from '@/lib/domain/permissions'
import { logReaders } from '@/lib/operations/define'

const TrailList = lazy(() => import('./trail-list').then((module) => ({ default: module.TrailList })))

/** What was asked of the service about one object (`<resource>/<id>`), read when somebody opens it. */
export function RequestTrail({ target, one }: { target: string; one: string }) {
  const { person } = useDesk()
  const [open, setOpen] = useState(false)
  const list = useId()
  const closed = person.roles.some((role) => logReaders.includes(role)) ? null : `Only ${rolesText(logReaders)} can read the request log.`
  return (
    <Panel
      title="Requests"
      className="print:hidden"
      aside={
        <Button
          size="small"
          variant="quiet"
          aria-expanded={open}
          aria-controls={list}
          disabledReason={closed}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide requests' : 'Show requests'}
        </Button>
      }
    >
      <div id={list}>
        {open ? (
          <Suspense fallback={<Skeleton className="h-24" />}>
            <TrailList target={target} />
          </Suspense>
        ) : (
          <p className="text-ink-3">Every call from here about this {one}: who asked what, when, and what the service answered.</p>
        )}
      </div>
    </Panel>
  )
}
