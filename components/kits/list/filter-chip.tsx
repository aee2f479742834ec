import { ListLink } from './list-frame'

/** One filter in words, as a link to the view without it. */
export const FilterChip = ({ href, text }: { href: string; text: string }) => (
  <ListLink
    href={href}
    className="inline-flex h-6 max-w-64 items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:bg-sunken pointer-coarse:h-8"
  >
    <span className="sr-only">Remove filter </span>
    <bdi className="truncate">{text}</bdi>
    <span aria-hidden="true" className="text-ink-3">
      ✕
    </span>
  </ListLink>
)
