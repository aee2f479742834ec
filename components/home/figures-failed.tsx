import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import type { WireError } from '@/lib/errors'
import { ReadAgain } from './read-again'

type FiguresFailedProps = { title: string; read: { error: WireError; requestId: string } }

/** A chart whose figures could not be read, in its place and of its size. */
export const FiguresFailed = ({ title, read }: FiguresFailedProps) => (
  <section aria-label={title} className="rounded border border-line bg-surface">
    <div className="flex min-h-9 items-center border-line border-b px-3">
      <h2 className="font-semibold text-sm">{title}</h2>
    </div>
    <ErrorNotice
      className="m-3"
      what="The figures could not be read"
      error={read.error}
      requestId={read.requestId}
      actions={<ReadAgain what={title} />}
    />
  </section>
)
