import { clsx } from 'clsx'

/**
 * Joins class names. A `className` that is passed to a component of `components/ui` may set its
 * position and size only. The component's variants set everything else.
 */
export const cn = clsx
