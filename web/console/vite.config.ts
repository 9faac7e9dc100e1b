import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { relay } from './relay-plugin.ts'

// Names of chunks carry a hash of their content: they are cached for a year.
export default defineConfig({
  base: '/console/',
  plugins: [relay(), react()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // What several pages share, in one file: each of many small ones has a head of its own.
      output: { codeSplitting: { groups: [{ name: 'shared', test: /src.(core|frame|ui)/, minShareCount: 2 }] } },
    },
  },
})
