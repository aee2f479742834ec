'use client'

import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'

type FileDropProps = { accept: string; closed: string | null; onFiles: (files: readonly File[]) => void; children: ReactNode }

/** Where files are dropped or chosen; the rules stand in it, before anything is sent. */
export function FileDrop({ accept, closed, onFiles, children }: FileDropProps) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    if (closed === null && files && files.length > 0) onFiles([...files])
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the one for everybody
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cn('grid gap-2 rounded border border-dashed p-3 text-sm', over ? 'border-accent bg-selected' : 'border-control')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button disabledReason={closed} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <span className="text-ink-2 max-sm:hidden">or drop them here</span>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        accept={accept}
        aria-label="Documents"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      <div className="text-ink-3 text-xs">{children}</div>
    </div>
  )
}
