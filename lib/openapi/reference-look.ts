/**
 * The look of Swagger UI at /docs, over its own stylesheet: our colours in both themes by taking all of its own away,
 * our sizes, and room on a phone. Errors have one shape, so its example is not shown again for each status.
 */
export const referenceLook = `
#reference{max-width:72rem;margin:0 auto;padding:0 16px 64px;font:14px/20px var(--sans);color:var(--foreground);
& *,& ::before,& ::after{color:inherit;font-family:inherit;border-color:var(--border);background-color:transparent;box-shadow:none;text-shadow:none;transition:none}
& :focus-visible{outline:2px solid var(--ring);outline-offset:2px}
& svg{fill:currentColor}
& :is(pre,code,textarea,.opblock-summary-path,.parameter__type,.parameter__in,.model,[class*=json-schema-2020-12]){font-family:var(--mono)}
& .wrapper{max-width:none;padding:0}
& .scheme-container{display:none}
& .swagger-ui :is(.renderedMarkdown,.markdown) p,& :is(.info,.opblock-description) p{font-size:14px;line-height:20px;margin:0 0 12px;overflow-wrap:anywhere}
& .renderedMarkdown p:last-child{margin-bottom:0}
& .swagger-ui .renderedMarkdown code{padding:1px 4px;border-radius:4px;background-color:var(--muted);font-size:.93em;font-weight:400;overflow-wrap:anywhere}
& .renderedMarkdown ul{padding-left:20px}
& :is(.info a,.renderedMarkdown a){color:var(--primary-text);text-decoration:underline;text-underline-offset:2px}

& .info{margin:0 0 24px;padding-top:24px;border-top:1px solid var(--border)}
& .info hgroup.main{margin:0 0 12px}
& .info .title{font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.01em}
& .info .title>span{margin-left:8px}
& .info .title small{position:static;margin:0 4px 0 0;padding:2px 8px;border:1px solid var(--border-strong);border-radius:6px;vertical-align:middle}
& .info .title small pre{font-size:12px;line-height:16px;font-weight:500;color:var(--muted-foreground)}
& .info .info__contact,& .info .info__license{display:inline-block;margin:0 16px 0 0}
& .info .description{max-width:80ch;color:var(--muted-foreground)}
& .info .description code{color:var(--foreground)}

& .find{display:flex;flex-wrap:wrap;align-items:end;gap:8px 12px;margin:0 0 16px;
& label{display:flex;flex-direction:column;gap:6px;flex:1 1 16rem;max-width:28rem;margin:0;font-size:14px;font-weight:500}
& input{font:inherit;font-weight:400}
& span{line-height:32px;color:var(--muted-foreground)}}
& .swagger-ui :is(input:not([type=checkbox],[type=radio],[type=file]),select){box-sizing:border-box;height:32px;min-width:0;margin:0;padding:0 10px;border:1px solid var(--input);border-radius:6px;
background:var(--background);appearance:auto;font-size:14px;font-weight:400}
& .swagger-ui select{padding:0 6px;min-width:8rem}
& .swagger-ui input[type=search]{appearance:none}
& .swagger-ui textarea{min-height:12rem;padding:10px;border:1px solid var(--input);border-radius:6px;background-color:var(--background);font-size:13px;line-height:20px;font-weight:400}
& .swagger-ui :is(input,textarea,select).invalid{border-color:var(--danger-text);animation:none}
& :disabled{opacity:1;color:var(--muted-foreground);cursor:not-allowed}
& ::placeholder{color:var(--muted-foreground);opacity:1}

& #operations h3:not(.opblock-tag){display:none}
& .opblock-tag{display:flex;align-items:center;gap:12px;margin:0;padding:10px 4px;border-bottom:1px solid var(--border);font-size:14px;line-height:20px;font-weight:600;cursor:pointer}
& .opblock-tag:hover,& .opblock-summary:hover{background-color:var(--hover)}
& .opblock-tag a{flex:0 0 12rem}
& .opblock-tag small{flex:1;padding:0;font-size:14px;color:var(--muted-foreground)}
& .opblock-tag small :is(p,ul){font-weight:400}
& .opblock-tag[data-is-open=false] small .renderedMarkdown{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:1}
& .opblock-tag[data-is-open=true]{align-items:start}
& :is(.expand-operation,.opblock-control-arrow,.models-control) svg{width:16px;height:16px;color:var(--muted-foreground)}
& .operation-tag-content{padding:8px 0 16px}
& .operations-virtual .opblock-tag{margin-bottom:8px}

& .opblock{margin:0 0 8px;border:1px solid var(--border);border-radius:8px;background-color:var(--card);overflow:clip}
& .opblock .opblock-summary{padding:0 8px 0 0;border:0}
& .opblock.is-open .opblock-summary{border-bottom:1px solid var(--border)}
& .opblock-summary-control{display:flex;align-items:center;min-width:0;min-height:40px;padding:4px 0 4px 8px;border-radius:7px;text-align:left}
& .opblock-summary-control:focus{outline:none}
& .opblock-summary-control:focus-visible{outline:2px solid var(--ring);outline-offset:-2px}
& .opblock .opblock-summary-method{min-width:64px;padding:2px 0;border-radius:6px;background-color:var(--muted);font:600 12px/20px var(--mono)}
& .opblock-get .opblock-summary-method{color:var(--primary-text)}
& .opblock-post .opblock-summary-method{color:var(--success-text)}
& .opblock:is(.opblock-put,.opblock-patch) .opblock-summary-method{color:var(--warning-text)}
& .opblock-delete .opblock-summary-method{color:var(--danger-text)}
& .opblock .opblock-summary-path-description-wrapper{min-width:0;gap:0 12px}
& .opblock .opblock-summary-path{max-width:100%;padding:0;font-size:13px;font-weight:500;overflow-wrap:anywhere;word-break:normal}
& .opblock .opblock-summary-description{color:var(--muted-foreground);font-size:14px}
& .opblock .opblock-summary .view-line-link{display:none}
& .opblock-control-arrow{padding:8px;border:0}
& .opblock-description-wrapper{padding:16px 16px 0;margin:0}
& .opblock-description{max-width:80ch}
& .opblock .opblock-section-header{min-height:0;padding:16px 16px 0}
& .opblock .opblock-section-header h4{font-size:14px;font-weight:600}
& .opblock .tab-header .tab-item{padding:0}
& .opblock .tab-header .tab-item.active h4 span::after{display:none}
& .opblock .opblock-section-header>label{font-size:13px;font-weight:400;color:var(--muted-foreground)}
& .opblock-section-request-body .opblock-description-wrapper{padding-bottom:16px}
& .table-container,& .responses-inner{padding:8px 16px 16px}
& .responses-inner :is(h4,h5),& .opblock-title_normal{font-size:13px}
& table thead tr :is(td,th){padding:8px 0;border-bottom:1px solid var(--border);font-size:13px;font-weight:500;color:var(--muted-foreground)}
& .swagger-ui table:not(.model,.headers) tbody tr td{padding:12px 16px 12px 0;border-bottom:1px solid var(--border)}
& .swagger-ui table.headers tbody tr td{padding:6px 16px 6px 0;font-size:13px;font-weight:400}
& .swagger-ui table.parameters tr:last-child td,& .swagger-ui table.responses-table>tbody>tr:last-child>td{border-bottom:0}
& .swagger-ui td.parameters-col_name{min-width:11rem}
& .parameter__name{margin:0;font:500 13px/20px var(--mono);overflow-wrap:anywhere}
& .parameter__name.required::after{top:-4px;color:var(--danger-text)}
& .parameter__name.required span{color:var(--danger-text)}
& :is(.parameter__type,.parameter__in){padding:0;font-size:12px;font-weight:400;font-style:normal;color:var(--muted-foreground)}
& .parameters-col_description{margin:0}
& .swagger-ui .parameters-col_description :is(input:not([type=checkbox]),select,.highlight-code){max-width:28rem;width:100%;margin-top:8px}
& .parameter__default,& .parameter__enum{margin-top:4px;color:var(--muted-foreground)}
& :is(.examples-select,.response-controls){margin:8px 0 0;padding:0}
& :is(.examples-select__section-label,.response-control-media-type__title,.response-control-examples__title,.body-param__example,.tab li){font-size:13px;font-weight:400;color:var(--muted-foreground)}
& .response-controls .examples-select{margin:0}
& .response-control-media-type__accept-message{font-size:13px;color:var(--muted-foreground)}
& .response-control-media-type--accept-controller select{border-color:var(--input)}
& .response-col_status{min-width:5rem;font:500 13px/20px var(--mono)}
& .response-col_links,& .responses-header .col_header.response-col_links{display:none}
& tr.response:is([data-code^="4"],[data-code^="5"]) :is(.response-controls,.model-example,.response-control-media-type){display:none}
& .tab li button.tablinks{padding:4px 0;border-radius:4px;font-size:13px}
& .tab li:first-of-type::after{background-color:var(--border-strong)}
& .tab li.active{color:var(--foreground);font-weight:500}

& pre.microlight{margin:0;padding:12px 14px;border:1px solid var(--border);border-radius:8px;background-color:var(--muted);font-size:13px;line-height:20px;font-weight:400}
& .highlight-code{position:relative}
& .highlight-code>.microlight{min-height:0;max-height:28rem}
& .response-col_description__inner{margin:0}
& .copy-to-clipboard{top:8px;right:8px;bottom:auto;width:auto;height:auto;border-radius:6px}
& .curl-command .copy-to-clipboard{top:40px;right:8px;bottom:auto;width:auto;height:auto}
& .copy-to-clipboard button{all:unset;box-sizing:border-box;height:28px;padding:0 10px;border:1px solid var(--input);border-radius:6px;background:var(--card);font:500 13px/26px var(--sans);cursor:pointer}
& .copy-to-clipboard button::before{content:"Copy"}
& .highlight-code:has(.copy-to-clipboard) .microlight,& .curl-command .microlight{padding-right:80px}
& .download-contents{top:8px;right:76px;bottom:auto;height:28px;padding:0 10px;border:1px solid var(--input);border-radius:6px;background-color:var(--card);font-size:13px;font-weight:500;width:auto}
& .highlight-code:has(.download-contents) .microlight{padding-top:44px}
& .btn{height:32px;padding:0 12px;border:1px solid var(--input);border-radius:6px;background-color:var(--card);font-size:14px;font-weight:500}
& .btn:hover,& .copy-to-clipboard button:hover,& .download-contents:hover{background-color:var(--hover)}
& .btn.cancel{color:var(--danger-text)}
& .btn.execute{border-color:var(--primary);background-color:var(--primary);color:#fff}
& .swagger-ui .btn:disabled{opacity:.5}
& .execute-wrapper{padding:0 16px 16px;text-align:left}
& .execute-wrapper .btn{width:auto;padding:0 20px}
& .btn-group{display:flex;gap:8px;padding:0 16px 16px}
& .btn-group .btn{flex:none;border-radius:6px}
& .try-out.btn-group{padding:0;margin-left:auto}
& .try-out__btn{margin:0}
& .validation-errors,& .errors-wrapper{margin:0 16px 16px;padding:12px 16px;border:1px solid var(--danger-text);border-radius:8px;color:var(--danger-text);animation:none}
& .request-url pre{min-height:0}
& .loading-container{padding:24px 0}

& section.models{margin:24px 0 0;border:1px solid var(--border);border-radius:8px;background-color:var(--card)}
& section.models h4{padding:0;font-size:14px;font-weight:600}
& section.models.is-open h4{margin:0;border-color:var(--border)}
& .models-control{display:flex;align-items:center;padding:10px 12px;border-radius:7px}
& .models-control:focus-visible{outline:2px solid var(--ring);outline-offset:-2px}
& .json-schema-2020-12{margin:0 12px 12px;padding:10px 12px;border-radius:6px;background-color:var(--muted)}
& .model-box{background-color:transparent;padding:0;display:block}
& .model-box>.json-schema-2020-12{margin:0}
& .json-schema-2020-12 .json-schema-2020-12{margin:0;padding:0;background-color:transparent}
& [class*="json-schema-2020-12"]{font-size:13px;font-weight:400;font-style:normal;opacity:1}
& .json-schema-2020-12 .json-schema-2020-12 .json-schema-2020-12-expand-deep-button{display:none}
& .json-schema-2020-12-accordion{padding:0}
& .json-schema-2020-12__title{font-weight:500}
& .json-schema-2020-12-keyword__children,& .json-schema-2020-12-body{border-color:var(--border-strong)}
& .json-schema-2020-12__attribute--primary{color:var(--primary-text)}
& :is(.json-schema-2020-12__attribute--muted,.json-schema-2020-12-keyword__name,.json-schema-2020-12-keyword__value,.json-schema-2020-12-keyword--description,.json-schema-2020-12-expand-deep-button,.json-schema-2020-12-accordion__icon){color:var(--muted-foreground)}
& .json-schema-2020-12-keyword--description{font-family:var(--sans)}
& .json-schema-2020-12__constraint{background-color:var(--hover);color:var(--muted-foreground);font-weight:400}
& .json-schema-2020-12-property--required>.json-schema-2020-12:first-of-type>.json-schema-2020-12-head .json-schema-2020-12__title::after{color:var(--danger-text)}
& .json-schema-2020-12-json-viewer__value{overflow-wrap:anywhere}
@media (max-width:640px){
& .swagger-ui :is(input,select,textarea,.find input){font-size:16px}
& .opblock-tag{flex-wrap:wrap;position:relative;padding-right:32px;gap:4px}
& .opblock-tag a,& .opblock-tag small{flex:1 0 100%}
& .opblock-tag .expand-operation{position:absolute;top:10px;right:0}
& .opblock .opblock-summary-path-description-wrapper{flex-direction:column;align-items:flex-start}
& :is(table.parameters,table.responses-table){&,& >tbody,& >tbody>tr,& >tbody>tr>td{display:block;width:auto;min-width:0;max-width:none;padding:0}
& >thead{display:none}
& >tbody>tr{padding:12px 0;border-bottom:1px solid var(--border)}}
& .swagger-ui :is(table.parameters,table.responses-table)>tbody>tr>td{padding:0 0 4px;border:0}
& .opblock .opblock-section-header{flex-wrap:wrap;gap:8px}
& table.headers{table-layout:fixed;overflow-wrap:anywhere}
}}
`;
