'use client'

import { lazy } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { ListExport } from '@/components/kits/list/list-export'
import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Popover } from '@/components/ui/overlay'
import { whyNotExport } from '@/lib/domain/export-rules'

const ExportPanel = lazy(() =>
  import('@/components/kits/list/export-panel').then((module) => ({ default: module.ExportPanel })),
)

export function ExportButton({ exported }: { exported: ListExport }) {
  const { person } = usePageContext()
  const disabledReason = whyNotExport(person.roles)
  if (disabledReason) {
    return (
      <Button size="small" variant="quiet" disabledReason={disabledReason}>
        Export
      </Button>
    )
  }
  return (
    <Popover
      label={`Export ${exported.many}`}
      align="end"
      panelClassName="w-80 p-3"
      className={buttonVariants({ size: 'small', variant: 'quiet' })}
      content={(close) => <ExportPanel exported={exported} onClose={close} />}
    >
      Export
    </Popover>
  )
}

const ColumnChoice = lazy(() =>
  import('./panels').then((module) => ({ default: module.ColumnChoice })),
)

type ListToolsProps = { spec: ListSpec; view: ListViewState; exported: ListExport }

export const ListTools = ({ spec, view, exported }: ListToolsProps) => (
  <>
    {Object.keys(spec.columns).length > 0 && (
      <Popover
        label="Columns"
        align="end"
        panelClassName="w-60 p-2"
        className={buttonVariants({ size: 'small', variant: 'quiet' })}
        content={() => <ColumnChoice spec={spec} view={view} />}
      >
        Columns
      </Popover>
    )}
    <ExportButton exported={exported} />
  </>
)
