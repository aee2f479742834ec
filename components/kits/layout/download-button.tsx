'use client'

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import type { CallError } from '@/lib/client/call-error'
import { fetchExport, saveFile } from '@/lib/client/export'

type DownloadButtonProps = {
  url: string
  disabledReason?: string | null
  /** Called with the error of a failed download, and with null when the next download starts. */
  onFailed: (error: CallError | null) => void
  children: ReactNode
}

export function DownloadButton({
  url,
  disabledReason = null,
  onFailed,
  children,
}: DownloadButtonProps) {
  const { isPending, mutate } = useMutation({
    mutationFn: async () =>
      saveFile(await fetchExport(url, new AbortController().signal, () => undefined)),
    onMutate: () => onFailed(null),
    onError: onFailed,
  })
  return (
    <Button
      size="small"
      loading={isPending}
      disabledReason={disabledReason}
      onClick={() => mutate()}
    >
      {children}
    </Button>
  )
}
