import type { IconNode } from 'lucide'
import { createElement } from 'react'

/** A decorative icon, rendered from the shapes of a Lucide icon without Lucide's own code. */
export const LineIcon = ({ shapes, className }: { shapes: IconNode; className?: string }) => (
  <svg
    aria-hidden="true"
    width={24}
    height={24}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className}
  >
    {shapes.map(([tag, attributes]) =>
      createElement(tag, { key: JSON.stringify(attributes), ...attributes }),
    )}
  </svg>
)
