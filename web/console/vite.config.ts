import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { relay } from './relay-plugin.ts'

// Names of chunks carry a hash of their content: they are cached for a year.
export default defineConfig({
  base: '/console/',
  plugins: [relay(), react()],
  // The hooks alone: the library's main file has its older components too.
  resolve: { alias: [{ find: /^react-relay$/, replacement: 'react-relay/hooks' }] },
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What several pages share, in one file, and what those of posts do in others: each of many small ones has a head of its
      // own. Files of posts aren't on every page.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: /src.(core|frame|ui.(?!media|due|post.(?!PostLink)))/, minShareCount: 2, priority: 1 },
            { name: 'posts', test: /src.ui.(due|post)/, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'texts', test: /src.text/, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
