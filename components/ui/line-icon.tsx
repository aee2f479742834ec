import type { IconNode } from 'lucide'
import { createElement } from 'react'

/** An icon of the library, drawn from its shapes; of the library's own script nothing reaches the browser. For the eye only. */
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
    {shapes.map(([tag, attributes]) => createElement(tag, { key: JSON.stringify(attributes), ...attributes }))}
  </svg>
)
