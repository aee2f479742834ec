'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import type { CallError } from '@/lib/client/call-error'
import { useSavedFile } from '@/lib/client/use-saved-file'
import { addressed } from '@/lib/operations/http'

type AccessReviewButtonProps = { format: 'csv' | 'json'; onFailed: (error: CallError | null) => void }

/** Downloads all users with their roles as a file. */
export function AccessReviewButton({ format, onFailed }: AccessReviewButtonProps) {
  const { environment } = usePageContext()
  const { saving, save } = useSavedFile(onFailed)
  const { url } = addressed('people.access_review', { format }, { environment })
  return (
    <Button size="small" loading={saving} onClick={() => save(url)}>
      {format === 'csv' ? 'Export access review' : 'As JSON'}
      {format === 'json' && <span className="sr-only">: export access review</span>}
    </Button>
  )
}
