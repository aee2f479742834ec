import { cn } from './cn'
import { CopyButton } from './copy-button'

const split = (id: string) =>
  id.length <= 16 ? { head: id, middle: '', tail: '' } : { head: id.slice(0, 8), middle: id.slice(8, -6), tail: id.slice(-6) }

/**
 * An id cut in the middle for the eye. The whole id stays in the text, so searching the page, selecting and a screen reader get all of it, and
 * the tooltip shows it. `what` names it for the copy button ("payout id"); without it there is none.
 */
export function ShortId({ id, what, className }: { id: string; what?: string; className?: string }) {
  const { head, middle, tail } = split(id)
  return (
    <span className={cn('inline-flex max-w-full items-center gap-0.5', className)}>
      <span title={id} className="whitespace-nowrap font-mono text-xs">
        {head}
        {middle !== '' && (
          <>
            <span className="inline-block w-0 select-text overflow-hidden whitespace-nowrap align-bottom print:w-auto">{middle}</span>
            <span aria-hidden="true" className="select-none text-ink-3 before:content-['…'] print:hidden" />
          </>
        )}
        {tail}
      </span>
      {what && <CopyButton text={id} what={what} />}
    </span>
  )
}
