'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Popover } from '@/components/ui/popover'

const ExportPanel = lazy(() => import('./export-panel').then((module) => ({ default: module.ExportPanel })))

/** All that matches as a file. `search` is what the list asks, without paging; `total` what it counted. */
export function ExportButton({ search, total }: { search: Readonly<Record<string, string>>; total: number | null }) {
  const { person } = useDesk()
  if (!person.roles.some((role) => role !== 'viewer')) {
    return (
      <Button size="small" variant="quiet" disabledReason="Only an operator, a reviewer or an admin can export.">
        Export CSV…
      </Button>
    )
  }
  return (
    <Popover
      label="Export CSV"
      align="end"
      panelClassName="w-80 p-3"
      className={buttonVariants({ size: 'small', variant: 'quiet' })}
      content={(close) => <ExportPanel search={search} total={total} onClose={close} />}
    >
      Export CSV…
    </Popover>
  )
}
