extension HCILayouts {
    /// Commands of LE (Core 5.4 Vol 4 Part E 7.8).
    static let lowEnergyCommandTable = """
        2001 LESetEventMask 7.8.1 le_event_mask:u64 /
        2002 LEReadBufferSize 7.8.2 / le_acl_data_pkt_len:u16 le_total_num_acl_data_pkts
        2060 LEReadBufferSizeV2 7.8.2 / le_acl_data_pkt_len:u16 le_total_num_acl_data_pkts \
            iso_data_pkt_len:u16 total_num_iso_data_pkts
        2003 LEReadLocalSupportedFeatures 7.8.3 / le_features:u64
        2005 LESetRandomAddress 7.8.4 bd_addr /
        2006 LESetAdvertisingParameters 7.8.5 le_advts_interval_min:u16 le_advts_interval_max:u16 \
            le_advts_type le_own_address_type le_direct_address_type bd_addr le_advts_channel_map \
            le_advts_filter_policy /
        2007 LEReadAdvertisingPhysicalChannelTxPower 7.8.6 / transmit_power_level:i8
        2008 LESetAdvertisingData 7.8.7 le_data_length data:31 /
        2009 LESetScanResponseData 7.8.8 le_data_length data:31 /
        200A LESetAdvertisingEnable 7.8.9 le_advts_enable /
        200B LESetScanParameters 7.8.10 le_scan_type le_scan_interval:u16 le_scan_window:u16 \
            le_own_address_type le_scan_filter_policy /
        200C LESetScanEnable 7.8.11 le_scan_enable le_filter_duplicates /
        200D LECreateConnection 7.8.12 le_scan_interval:u16 le_scan_window:u16 \
            le_initiator_filter_policy le_peer_address_type bd_addr le_own_address_type \
            le_con_interval_min:u16 le_con_interval_max:u16 le_con_latency:u16 \
            le_supv_timeout:u16 le_min_ce_length:u16 le_max_ce_length:u16
        200E LECreateConnectionCancel 7.8.13 /
        200F LEReadFilterAcceptListSize 7.8.14 / le_white_list_size
        2010 LEClearFilterAcceptList 7.8.15 /
        2011 LEAddDeviceToFilterAcceptList 7.8.16 le_address_type bd_addr /
        2012 LERemoveDeviceFromFilterAcceptList 7.8.17 le_address_type bd_addr /
        2013 LEConnectionUpdate 7.8.18 connection_handle le_con_interval_min:u16 \
            le_con_interval_max:u16 le_con_latency:u16 le_supv_timeout:u16 le_min_ce_length:u16 \
            le_max_ce_length:u16
        2016 LEReadRemoteFeatures 7.8.21 connection_handle
        2017 LEEncrypt 7.8.22 le_key:16 le_plaintext:16 / le_encrypted_data:16
        2018 LERand 7.8.23 / le_random_number:8
        2019 LEEnableEncryption 7.8.24 connection_handle le_random_number:8 \
            le_encrypted_diversifier:u16 le_long_term_key:16
        201A LELongTermKeyRequestReply 7.8.25 connection_handle le_long_term_key:16 / \
            connection_handle
        201B LELongTermKeyRequestNegativeReply 7.8.26 connection_handle / connection_handle
        201C LEReadSupportedStates 7.8.27 / le_states:8
        2020 LERemoteConnectionParameterRequestReply 7.8.31 connection_handle \
            le_con_interval_min:u16 le_con_interval_max:u16 le_con_latency:u16 \
            le_supv_timeout:u16 le_min_ce_length:u16 le_max_ce_length:u16 / connection_handle
        2021 LERemoteConnectionParameterRequestNegativeReply 7.8.32 connection_handle reason / \
            connection_handle
        2022 LESetDataLength 7.8.33 connection_handle le_tx_octets:u16 le_tx_time:u16 / \
            connection_handle
        2023 LEReadSuggestedDefaultDataLength 7.8.34 / le_suggested_max_tx_octets:u16 \
            le_suggested_max_tx_time:u16
        2024 LEWriteSuggestedDefaultDataLength 7.8.35 le_suggested_max_tx_octets:u16 \
            le_suggested_max_tx_time:u16 /
        2025 LEReadLocalP256PublicKey 7.8.36
        2026 LEGenerateDHKey 7.8.37 le_remote_p_256_public_key:64
        2027 LEAddDeviceToResolvingList 7.8.38 le_peer_identity_address_type bd_addr \
            le_peer_irk:16 le_local_irk:16 /
        2028 LERemoveDeviceFromResolvingList 7.8.39 le_peer_identity_address_type bd_addr /
        2029 LEClearResolvingList 7.8.40 /
        202A LEReadResolvingListSize 7.8.41 / resolving_list_size
        202D LESetAddressResolutionEnable 7.8.44 le_address_resolution_enable /
        202E LESetResolvablePrivateAddressTimeout 7.8.45 le_rpa_timeout:u16 /
        202F LEReadMaximumDataLength 7.8.46 / max_tx_octets:u16 max_tx_time:u16 max_rx_octets:u16 \
            max_rx_time:u16
        2030 LEReadPHY 7.8.47 connection_handle / connection_handle le_tx_phy le_rx_phy
        2031 LESetDefaultPHY 7.8.48 all_phys tx_phys rx_phys /
        2032 LESetPHY 7.8.49 connection_handle all_phys tx_phys rx_phys phy_options:u16
        204B LEReadTransmitPower 7.8.74 / min_tx_power:i8 max_tx_power:i8
        204E LESetPrivacyMode 7.8.77 le_peer_identity_address_type bd_addr le_privacy_mode /
        2035 LESetAdvertisingSetRandomAddress 7.8.52 advertising_handle bd_addr /
        2036 LESetExtendedAdvertisingParameters 7.8.53 advertising_handle \
            advertising_properties:u16 le_advts_interval_min:u24 le_advts_interval_max:u24 \
            le_advts_channel_map le_own_address_type le_peer_address_type bd_addr \
            le_advts_filter_policy advertising_tx_power:i8 primary_advertising_phy \
            secondary_advertising_max_skip secondary_advertising_phy advertising_sid \
            scan_request_notification_enable / selected_tx_power:i8
        2037 LESetExtendedAdvertisingData 7.8.54 advertising_handle adv_data_operation \
            adv_fragment_preference data:counted /
        2038 LESetExtendedScanResponseData 7.8.55 advertising_handle adv_data_operation \
            adv_fragment_preference data:counted /
        2039 LESetExtendedAdvertisingEnable 7.8.56 le_advts_enable le_adv_set[ advertising_handle \
            adv_duration:u16 max_extended_advertising_events ] /
        203A LEReadMaximumAdvertisingDataLength 7.8.57 / max_adv_data_length:u16
        203B LEReadNumberOfSupportedAdvertisingSets 7.8.58 / num_supported_adv_sets
        203C LERemoveAdvertisingSet 7.8.59 advertising_handle /
        203D LEClearAdvertisingSets 7.8.60 /
        2041 LESetExtendedScanParameters 7.8.64 le_own_address_type le_scan_filter_policy \
            le_scan_phys le_scan_phy_param[ le_scan_phys | le_scan_type le_scan_interval:u16 \
            le_scan_window:u16 ] /
        2042 LESetExtendedScanEnable 7.8.65 le_scan_enable le_filter_duplicates scan_duration:u16 \
            scan_period:u16 /
        2043 LEExtendedCreateConnection 7.8.66 le_initiator_filter_policy le_own_address_type \
            le_peer_address_type bd_addr le_init_phys le_init_phy_param[ le_init_phys | \
            le_scan_interval:u16 le_scan_window:u16 le_con_interval_min:u16 \
            le_con_interval_max:u16 le_con_latency:u16 le_supv_timeout:u16 le_min_ce_length:u16 \
            le_max_ce_length:u16 ]
        """
}
