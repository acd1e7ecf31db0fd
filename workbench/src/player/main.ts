// The self-contained page that plays one trace: its data is in the document, as JSON.

export {};
