const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

/** Drawn here, because a few strokes weigh less than an icon library in a page's script. */
const Icon = ({ path }: { path: string }) => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4">
    <path d={path} {...line} />
  </svg>
)

export const ReadAgainIcon = () => <Icon path="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.75h-2.75" />
export const OpenPageIcon = () => <Icon path="M9.5 2.5h4v4M13.5 2.5l-6 6M6.5 3.5h-3v9h9v-3" />
export const CloseIcon = () => <Icon path="m4 4 8 8m0-8-8 8" />
export const CopyIcon = () => <Icon path="M6 6V3h7v7h-3M3 6h7v7H3Z" />
