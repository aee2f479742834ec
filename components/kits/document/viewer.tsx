'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useId, useRef } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/overlay'
import { Skeleton } from '@/components/ui/skeleton'
import { toCallError } from '@/lib/client/call-error'
import { saveFile } from '@/lib/client/export'
import { canBeShown, getContentType } from '@/lib/domain/files/rules'
import { documentFramePath } from '@/lib/routes'

/** `load` returns the file. It rejects with a `CallError`. */
export type ViewedDocument = { name: string; load: (signal: AbortSignal) => Promise<Blob> }

type LoadedDocument = { name: string; file: Blob }

/** The frame creates the PDF from the file: its page has the policy that PDFs need. */
function PdfFrame({ name, file }: LoadedDocument) {
  const isSent = useRef(false)
  return (
    <iframe
      title={name}
      src={documentFramePath}
      className="min-h-0 flex-1 rounded border border-line bg-white"
      onLoad={({ currentTarget: { contentWindow } }) => {
        if (isSent.current) return
        isSent.current = true
        contentWindow?.postMessage(file, location.origin)
      }}
    />
  )
}

function ImageView({ name, file }: LoadedDocument) {
  const showFile = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  return (
    <div className="min-h-0 flex-1 overflow-auto rounded border border-line bg-white">
      {/* biome-ignore lint/performance/noImgElement: an object URL cannot be optimized */}
      <img ref={showFile} alt={name} className="mx-auto max-w-full" />
    </div>
  )
}

function ShownDocument({ name, load }: ViewedDocument) {
  const contentType = getContentType(name)
  // The key is not that of a read: a change of the list of documents must not fetch the file again,
  // because each fetch is audited as a view.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['document file', useId()],
    // The type is set here, so that no file can be of a type that runs scripts.
    queryFn: async ({ signal }) => new Blob([await load(signal)], { type: contentType }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  if (error && !isFetching)
    return (
      <ErrorNotice
        urgent
        what="The document could not be opened"
        error={toCallError(error).toWire()}
        requestId={toCallError(error).requestId}
        actions={
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    )
  if (!data)
    return (
      <div role="status" className="flex min-h-0 flex-1">
        <span className="sr-only">Opening the document</span>
        <Skeleton className="flex-1" />
      </div>
    )
  return contentType === 'application/pdf' ? (
    <PdfFrame name={name} file={data} />
  ) : (
    <ImageView name={name} file={data} />
  )
}

function DownloadOnly({ name, load }: ViewedDocument) {
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => saveFile({ name, blob: await load(new AbortController().signal) }),
  })
  return (
    <div className="grid content-start gap-3">
      <p>
        {canBeShown(getContentType(name))
          ? 'This browser can’t show PDFs here.'
          : 'Word documents can’t be shown here.'}{' '}
        Download it to read it.
      </p>
      <div>
        <Button variant="primary" loading={isPending} onClick={() => mutate()}>
          Download
        </Button>
      </div>
      {error && (
        <ErrorNotice
          urgent
          what="The document could not be downloaded"
          error={toCallError(error).toWire()}
          requestId={toCallError(error).requestId}
        />
      )}
    </div>
  )
}

const canShowHere = (contentType: string): boolean =>
  canBeShown(contentType) && (contentType !== 'application/pdf' || navigator.pdfViewerEnabled)

/**
 * A dialog at the right edge, so that the record or the decision stays visible beside the document.
 * Word documents, and PDFs in a browser without a PDF viewer, can only be downloaded.
 */
export function DocumentViewer({ name, load, onClose }: ViewedDocument & { onClose: () => void }) {
  const titleId = useId()
  const Content = canShowHere(getContentType(name)) ? ShownDocument : DownloadOnly
  return (
    <Dialog
      aria-labelledby={titleId}
      onClose={onClose}
      className="my-0 mr-0 ml-auto h-dvh max-h-none w-[min(56rem,100vw)] rounded-none lg:w-[min(56rem,60vw)]"
    >
      <div className="flex h-full flex-col gap-3 p-4">
        <header className="flex items-start gap-3">
          <h2 id={titleId} className="min-w-0 flex-1 break-all font-semibold text-lg">
            <ExternalText>{name}</ExternalText>
          </h2>
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </header>
        <Content name={name} load={load} />
      </div>
    </Dialog>
  )
}
