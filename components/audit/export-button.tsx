'use client'

import type { ReactNode } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import type { CallError } from '@/lib/client/call-error'
import { useSavedFile } from '@/lib/client/use-saved-file'
import { addressed } from '@/lib/operations/http'

type ExportButtonProps = { filter: Readonly<Record<string, string>>; onFailed: (error: CallError | null) => void; children: ReactNode }

/** Downloads audit rows as a signed zip. */
export function ExportButton({ filter, onFailed, children }: ExportButtonProps) {
  const { environment } = usePageContext()
  const { saving, save } = useSavedFile(onFailed)
  return (
    <Button size="small" loading={saving} onClick={() => save(addressed('audit.export', filter, { environment }).url)}>
      {children}
    </Button>
  )
}
