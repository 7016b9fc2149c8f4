/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The entrance of client RPCs: {@link io.github.foresight.namenode.rpc.ForesightServerSideTranslator} stands in the place of HDFS's translator.
 */
package io.github.foresight.namenode.rpc;
